package io.agenthooks.pattern;

import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.pattern.PatternFinder.Part;
import io.agenthooks.pattern.PatternFinder.Target;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link PatternSet} and {@link PatternFinder} find what Java's engine finds,
 * no less and no more.
 */
class PatternDifferenceTests {

	private static final PatternReader READER = new PatternReader();

	@Test
	void findAgreesWithJavaOnRandomPatterns() {
		findAgreesWithJava(23, 2_000);
	}

	@Test
	@Tag("slow")
	void findAgreesWithJavaOnManyRandomPatterns() {
		findAgreesWithJava(11, 60_000);
	}

	private static void findAgreesWithJava(int seed, int searches) {
		Differences differences = new Differences(seed).run(searches);
		assertThat(differences.examples()).as(differences.toString()).isEmpty();
		assertThat(differences.patterns()).isGreaterThan(searches / 10);
		assertThat(differences.found()).isBetween(searches / 4L, 3L * searches / 4);
		assertThat(differences.regions()).isGreaterThan(searches / 4);
	}

	/**
	 * The same for minutes, with the profile {@code fuzz}.
	 */
	@Test
	@EnabledIfSystemProperty(named = "fuzz.searches", matches = "\\d+")
	void findAgreesWithJavaOnMillionsOfRandomPatterns() {
		long seed = Long.getLong("fuzz.seed", System.currentTimeMillis());
		System.out.printf("Seed %d on Java %s%n", seed, Runtime.version());
		Differences differences = new Differences(seed).run(Long.getLong("fuzz.searches"));
		System.out.println(differences);
		assertThat(differences.examples()).as(differences.toString()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = {
			// Case: what Java does not take for the same is not taken out of what is
			// negated
			"(?i)<[^>\\u0100-\\uffff]+>; <script>", "(?i)<[^>\u0100-\uFFFF]+>; <IK>", "(?i)[^\\u212a]; k",
			"(?i)[^\\u017f-\\u0180]; s", "(?i)[^\\u0130-\\u0131]; i", "(?i)[^\\u212b-\\u2200]; \u00E5",
			"(?i)[^\u00DF]; \u1E9E", "(?i)\u00DF; \u1E9E", "(?i)a\u00DF; a\u1E9E", "(?i)a\u00DF+; a\u1E9E",
			"(?i)[\u1E9E]; \u00DF", "(?i)[\\u0131]; I", "(?i)[j-l]; \u212A", "(?i)[^j-l]; \u212A",
			"(?i)[r-t]+; \u017FS",
			// \v is one character where a range could start or end
			"[\\v-z]; a", "[\\v-]; `\n`", "[\\v-]; -", "[\\t-\\v]; v", "[\\t-\\v]; `\n`", "[\\v]; `\n`",
			"[\\v-[a]]; `\n`", "[\\N{LATIN SMALL LETTER A}-c]; b",
			// Places
			"(?m)^; ``", "(?m)^$; ``", "(?m)$; ``", "^; ``", "(?m)^; `\n`", "(?m)\\n^; `\n`", "(?m)\\n^; `\n\n`",
			"(?m)^(?:); ``",
			// Marks with and without a base, also with surrogates
			"\\b; \u0301", "\\b; -\u0301", "\\B; \u0301", "x|-\\b\u0301; -\u0301", "x|a\\b\u0301; a\u0301",
			"a\\B\u0301; a\u0301", "a\u0301\\b; a\u0301", "a\u0301\\b; a\u0301b", "_\\b\u0301; _\u0301",
			"\u4E00\u0301\\b; \u4E00\u0301", "\\b\uD834\uDD67; a\uD834\uDD67", "\uD834\uDD67\\b; a\uD834\uDD67",
			"\uD835\uDC9C\u0301\\b; \uD835\uDC9C\u0301", "a\u0301\u0301\\b; a\u0301\u0301-",
			"a\uD834\uDD67\u0301\\b; a\uD834\uDD67\u0301",
			// Between two surrogates
			"\\B; a\uD83D\uDE00a", "\\B.b; a\uD83D\uDE00b", "\\B.; a\uD83D\uDE00", "\\B[^x]b; a\uD83D\uDE00b",
			"\\B\\B{2}; a\uD83D\uDE00a", "x|a?\\B; a\uD83D\uDE00a", "\\Bb; a\uD83D\uDE00b", "(?i)k?\\B; a\uD83D\uDE00a",
			"\\B^; a\uD83D\uDE00", "\\b\\B.; a\uD83D\uDE00",
			// Quotations, and what stands where Java expects something else
			"a\\Q\\E+b; aab", "\\Qa.\\E+; a..", "[\\Qa-c\\E]; b", "[\\Q^]\\E]; ^", "\\x4\\Q1\\E; A", "a{\\Q2\\E}; a{2}",
			"\\0\\Q1\\E; 1", "{2}a; a", "a|{3}b; b", "(?i){2}a; A", "[\\c]]; `\u001D`", "[a\\c][b]]; b]",
			"\\c\\; `\u001C`", "\\Qa; a", "\\Q\\\\E; \\\\" })
	void findIsAsInJava(String pattern, String text) {
		boolean expected;
		try {
			expected = java(pattern).matcher(text).find();
		}
		catch (IllegalArgumentException ex) {
			assertThat(isUsable(pattern)).as("'%s' is not valid", pattern).isFalse();
			return;
		}
		assertThat(find(pattern, text)).isEqualTo(expected);
	}

	/**
	 * What a version of Java finds, for which a rule may have been written.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "\\b\u00E9\\b; \u00E9; 17", "\\bt\\b; \u00E9t\u00E9; 19", "\\B\u00E9\\B; -\u00E9-; 19",
					"t\\B\u00E9; t\u00E9; 17", "\\b\u0661; -\u0661; 17", "\u4E00\\b; \u4E00-; 17" })
	void edgeOfWordIsThatOfAnyJava(String pattern, String text, int version) {
		assertThat(find(pattern, text)).isTrue();
		assertThat(java(pattern).matcher(text).find())
			.isEqualTo((Runtime.version().feature() >= 19) == (version >= 19));
	}

	/**
	 * Java ends a repetition with its first empty round, and takes all of a line break
	 * where it repeats one. What it overlooks then is found.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "(\\Aa?){2}b; ab", "(?:^a?){3}b; ab", "\\R{2}; `\r\n`", "(?:\\R[\\n]){2}; `\r\n\n\n`" })
	void repetitionIsWhatItMeans(String pattern, String text) {
		assertThat(find(pattern, text)).isTrue();
		assertThat(java(pattern).matcher(text).find()).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "(?i)<[^>\\u0100-\\uffff]+>; a<script>b; 1; 9", "(?i)[^\\u017f-\\u0180]+; Sis; 0; 3",
					"(?i)k[j-l]+; xKk\u212A; 1; 4", "[\\v-z]+; {ab{; 1; 3", "\\B.b; a\uD83D\uDE00b; 1; 4",
					"a\u0301\\b; a\u0301-; 0; 2", "(?m)^.; `\na`; 0; 2" })
	void findTellsWhereItIs(String pattern, String text, int start, int end) {
		PatternFinder finder = new PatternFinder(List.of(new Target(null, READER.read(pattern), null)), 1 << 16);
		assertThat(finder.find(text, new Budget())).containsExactly(new Part(0, start, end));
	}

	private static boolean find(String pattern, String text) {
		return PatternSet.of(READER.read(pattern)).find(text, new Budget()) != null;
	}

	private static boolean isUsable(String pattern) {
		try {
			READER.read(pattern);
			return true;
		}
		catch (UnusablePatternException ex) {
			return false;
		}
	}

	private static Pattern java(String pattern) {
		return Pattern.compile(pattern, Pattern.DOTALL | Pattern.UNICODE_CASE);
	}

}
