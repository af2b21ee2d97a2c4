package io.agenthooks.pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for patterns that no text can hold.
 */
class UnfindablePatternTests {

	private static final String LINES = "\\^ and \\$";

	private static final String WORDS = "Remove \\b";

	private static final String BRACKETS = "Write brackets";

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "a^b; " + LINES, "$a; " + LINES, "a$b; " + LINES, "a\\Ab; " + LINES,
			"\\z.; " + LINES, "\\Za; " + LINES, "(?m)a^b; " + LINES, "(?m)$a; " + LINES, "(?m)\\r$\\n; " + LINES,
			"$\\n\\n; " + LINES, ".^a; " + LINES, "a+^; " + LINES, "(a^|b^)c; " + LINES, "(?:a^){2}; " + LINES,
			"cost: $5; " + LINES, "(?i)price^2; " + LINES, "^\\b$; " + LINES, "foo\\bbar; " + WORDS, "a\\bb; " + WORDS,
			"-\\b-; " + WORDS, "-\\B1; " + WORDS, "a\\B-; " + WORDS, "(a\\bb){3}; " + WORDS, "(?:a\\b){2}; " + WORDS,
			"foo\\b_; " + WORDS, "\\Ba\\b\\w; " + WORDS, "[a&&[b]]; " + BRACKETS, "x[a&&b]y; " + BRACKETS,
			"[a-c&&[^a-z]]+; " + BRACKETS, "[^\\x{0}-\\x{10FFFF}]; " + BRACKETS, "[^\\s\\S]; " + BRACKETS,
			"(?i)[k&&[^K]]; " + BRACKETS, "(x[a&&b]|[c&&d]); " + BRACKETS, "x[a&&[b]]|a^b; " + LINES })
	void readWhenNoTextHoldsThePatternSaysWhatToWrite(String pattern, String action) {
		assertThatExceptionOfType(UnusablePatternException.class).isThrownBy(() -> new PatternReader().read(pattern))
			.withMessageStartingWith("The pattern can be found in no text: ")
			.satisfies((ex) -> assertThat(ex.getAction()).contains(action));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "^a; a", "a$; a", "a*^b; b", "^*a; a", "a^*b; ab", "a^?b; ab", "(a|^)b; b", "(?:a^)?b; b",
					"a{0}^b; b", "$^; ``", "^$; ``", "(?m)^$; `\n`", "(?m)\\n^b; `\nb`", "(?m)a$\\nb; `a\nb`",
					"(?m)a$.^b; `a\nb`", "$\\n; `\n`", "$\\r; `\r`", "a$\\r\\n; `a\r\n`", "\\Z\\r\\n; `\r\n`",
					"\\n\\z; `\n`", "a$b?; a", "(?-s)a$.?; a", "x[a&&b]|c; c", "x[a&&b]*y; xy", "[a&&b]{0,3}y; y",
					"\\Bx\\b.; ax-", "foo\\b-; foo-", "a\\B_; a_", "-\\B\u0301; -\u0301",
					"a\\b\\p{Mn}|\\b\\p{Mn}\\B|x; x", "\\u00E9\\Bt; \u00E9t", "\\u00E9\\bt; \u00E9t",
					"\\b.\\b.\\b; a-a", "\\B; --", "\\B.b; a\uD83D\uDE00b", "[\\s\\S]; a", "cost: \\$5; cost: $5" })
	void readWhenTextHoldsThePatternAcceptsIt(String pattern, String text) {
		assertThat(PatternSet.of(new PatternReader().read(pattern)).find(text, new Budget())).hasToString(pattern);
	}

	@ParameterizedTest
	@ValueSource(strings = { "(?:\\b.?){1500}^b", "(?:a|\\b|\\B){900}z^", "(?:[\\p{L}\\d]\\b?){1600}\\b\\p{IsGreek}^",
			"((((((((((a\\b)?b){2}c)?d){2}e)?f){2}g)?h){2}i)?j){2}^k", "(?:\\B(?:\\b(?:$(?:^.?)*)*)*)*^\\A\\z^x" })
	@Timeout(20)
	void readWhenPatternIsIntricateEnds(String pattern) {
		try {
			new PatternReader().read(pattern);
		}
		catch (UnusablePatternException ex) {
			assertThat(ex).hasMessageStartingWith("The pattern can be found in no text: ");
		}
	}

	/**
	 * So no pattern that can be found is ever refused.
	 */
	@Test
	@Timeout(20)
	void readWhenItWouldTakeLongToKnowAcceptsThePattern() {
		StringBuilder pattern = new StringBuilder();
		for (int i = 0; i < 1_000; i++) {
			pattern.append("\\b").appendCodePoint(0x4E00 + i).append('?');
		}
		pattern.append("x^");
		assertThat(new PatternReader().read(pattern.toString())).hasToString(pattern.toString());
	}

}
