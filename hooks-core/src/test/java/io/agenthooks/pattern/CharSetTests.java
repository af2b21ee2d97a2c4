package io.agenthooks.pattern;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CharSet}: all of Unicode is as in Java.
 */
class CharSetTests {

	static Stream<String> expressions() {
		return Stream.of("a", "(?i)k", "(?i)S", "(?i)\u00E9", "(?i)\u03C3", "(?i)\u01C5", "(?i)i", "(?i)\u10D0",
				"(?i)\uD801\uDC00", "[a-z]", "(?i)[a-z]", "(?i)[^a-z]", "[^a-z]", "(?i)[\u0430-\u044F]",
				"(?i)[k\u00E5]", "(?i)[\\Wk]", "(?i)[^\\Wk]", "\\w", "\\W", "\\s", "\\S", "\\d", "\\D", "\\h", "\\H",
				"\\v", "\\V", "\\p{L}", "\\P{L}", "(?i)\\p{Lu}", "\\p{IsGreek}", "\\p{javaWhitespace}",
				"[\\p{L}&&[^a-z]]", "[a-c[x-z]]", "(?i)[[k-m]&&[l-z]]", "\\x{1F600}", "[\\x{1F600}-\\x{1F64F}\u00E9]",
				".", "(?-s).", "[\\s\\S]", "[^\\x00-\\x7F]", "\\p{Cs}", "\\p{Cn}", "\\ud800", "(?i)\u00DF",
				"(?i)\u1E9E", "(?i)[\u00DF]", "(?i)[^>\u0100-\uFFFF]", "(?i)[\u0100-\uFFFF]", "(?i)[\u0130-\u0131]",
				"(?i)[\u017F]", "(?i)[\u212A-\u212B]", "(?i)[^\u0131k]", "(?i)[\u00B5\u00FF]", "(?i)[\u00C0-\u00FE]",
				"(?i)[A-\u00B5]", "(?i)[\uD801\uDC00-\uD801\uDC05]", "[\\v-z]", "[\\t-\\v]", "[\\v-]", "[z\\v]",
				"[^\\v-\\x{7f}]", "\\v", "[\\N{LATIN SMALL LETTER A}-c]", "\\N{KELVIN SIGN}", "(?i)\\N{KELVIN SIGN}",
				"[\\c]]", "[a\\c][b]]", "[\\Q^]\\E]", "[\\Qa-c\\E]", "[\\x{D800}-\\x{DA00}[a]]",
				"\\p{InHighSurrogates}", "[\\ud801&&\\p{Cs}]");
	}

	/**
	 * Of the characters in use, and of the borders of what is behind.
	 */
	@ParameterizedTest
	@MethodSource("expressions")
	void setOfExpressionIsThatOfJava(String expression) {
		assertSameAsJava(expression, IntStream.of(0, 0xA600, 0xD700, 0x1F580, Character.MAX_CODE_POINT - 0x1FF)
			.flatMap((start) -> IntStream.rangeClosed(start, Math.min(start + 0x2FFF, Character.MAX_CODE_POINT))));
	}

	@ParameterizedTest
	@Tag("slow")
	@MethodSource("expressions")
	void setOfExpressionIsThatOfJavaForEveryCharacter(String expression) {
		assertSameAsJava(expression, IntStream.rangeClosed(0, Character.MAX_CODE_POINT));
	}

	private static void assertSameAsJava(String expression, IntStream codePoints) {
		Regex regex = RegexParser.parse(expression, new HashMap<>());
		assertThat(regex).isInstanceOf(Regex.Chars.class);
		CharSet set = ((Regex.Chars) regex).set();
		Matcher matcher = Pattern.compile(expression, Pattern.DOTALL | Pattern.UNICODE_CASE).matcher("");
		long differences = codePoints
			.filter((codePoint) -> set.contains(codePoint) != matcher.reset(Character.toString(codePoint)).matches())
			.count();
		assertThat(differences).isZero();
	}

	@Test
	void ignoringCaseIsAsInJava() {
		ignoresCaseAsJava(23);
	}

	/**
	 * All characters that have a case, and those beside them.
	 */
	@Test
	@Tag("slow")
	void ignoringTheCaseOfEveryCharacterIsAsInJava() {
		ignoresCaseAsJava(1);
	}

	private static void ignoresCaseAsJava(int step) {
		int[] cased = IntStream.rangeClosed(1, Character.MAX_CODE_POINT)
			.filter((codePoint) -> Character.toUpperCase(codePoint) != codePoint
					|| Character.toLowerCase(codePoint) != codePoint)
			.toArray();
		List<String> differences = new ArrayList<>();
		for (int i = 0; i < cased.length; i += step) {
			int codePoint = cased[i];
			String one = "\\x{%x}".formatted(codePoint);
			String range = "[\\x{%x}-\\x{%x}]".formatted(codePoint - 1, codePoint + 40);
			for (String expression : List.of("(?i)" + one, "(?i)[" + one + "]", "(?i)" + range)) {
				CharSet set = ((Regex.Chars) RegexParser.parse(expression, new HashMap<>())).set();
				Predicate<String> expected = Pattern.compile(expression, Pattern.DOTALL | Pattern.UNICODE_CASE)
					.asMatchPredicate();
				for (int other : cased) {
					if ((set.contains(other) || isNear(codePoint, other))
							&& set.contains(other) != expected.test(Character.toString(other))) {
						differences.add(expression + " and " + Integer.toHexString(other));
					}
				}
			}
		}
		assertThat(differences).isEmpty();
	}

	/**
	 * Whether one may be in another case what the other is, or close to it.
	 */
	private static boolean isNear(int codePoint, int other) {
		return IntStream
			.of(other, Character.toUpperCase(other), Character.toLowerCase(other),
					Character.toLowerCase(Character.toUpperCase(other)))
			.anyMatch((variant) -> Math.abs(variant - codePoint) < 60)
				|| Character.toLowerCase(Character.toUpperCase(codePoint)) == Character
					.toLowerCase(Character.toUpperCase(other));
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
