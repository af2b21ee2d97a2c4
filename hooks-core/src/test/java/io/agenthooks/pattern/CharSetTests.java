package io.agenthooks.pattern;

import java.util.HashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CharSet}: all of Unicode is as in Java.
 */
class CharSetTests {

	@ParameterizedTest
	@ValueSource(strings = { "a", "(?i)k", "(?i)S", "(?i)\u00E9", "(?i)\u03C3", "(?i)\u01C5", "(?i)i", "(?i)\u10D0",
			"(?i)\uD801\uDC00", "[a-z]", "(?i)[a-z]", "(?i)[^a-z]", "[^a-z]", "(?i)[\u0430-\u044F]", "(?i)[k\u00E5]",
			"(?i)[\\Wk]", "(?i)[^\\Wk]", "\\w", "\\W", "\\s", "\\S", "\\d", "\\D", "\\h", "\\H", "\\v", "\\V", "\\p{L}",
			"\\P{L}", "(?i)\\p{Lu}", "\\p{IsGreek}", "\\p{javaWhitespace}", "[\\p{L}&&[^a-z]]", "[a-c[x-z]]",
			"(?i)[[k-m]&&[l-z]]", "\\x{1F600}", "[\\x{1F600}-\\x{1F64F}\u00E9]", ".", "(?-s).", "[\\s\\S]",
			"[^\\x00-\\x7F]", "\\p{Cs}", "\\p{Cn}", "\\ud800" })
	void setOfExpressionIsThatOfJava(String expression) {
		Regex regex = RegexParser.parse(expression, new HashMap<>());
		assertThat(regex).isInstanceOf(Regex.Chars.class);
		CharSet set = ((Regex.Chars) regex).set();
		Matcher matcher = Pattern.compile(expression, Pattern.DOTALL | Pattern.UNICODE_CASE).matcher("");
		int differences = 0;
		for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
			boolean expected = matcher.reset(Character.toString(codePoint)).matches();
			if (set.contains(codePoint) != expected) {
				differences++;
			}
		}
		assertThat(differences).isZero();
	}

	@Test
	void negateTwiceIsTheSame() {
		CharSet set = CharSet.WORD.or(CharSet.range(0x10FFFE, 0x10FFFF));
		assertThat(set.negate().negate()).isEqualTo(set).hasSameHashCodeAs(set);
		assertThat(CharSet.ALL.negate().negate()).isEqualTo(CharSet.ALL);
	}

	@Test
	void orJoinsRangesThatTouch() {
		assertThat(CharSet.range('a', 'c').or(CharSet.range('d', 'f'))).isEqualTo(CharSet.range('a', 'f'));
		assertThat(CharSet.range('a', 'c').or(CharSet.range('b', 'b'))).isEqualTo(CharSet.range('a', 'c'));
	}

}
