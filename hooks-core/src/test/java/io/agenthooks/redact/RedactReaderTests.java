package io.agenthooks.redact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link RedactReader}, through the hook.
 */
class RedactReaderTests {

	@Test
	void createWhenDetectorIsUnknownNamesTheKnownOnes() {
		assertThat(problems(new RedactConfig(Arrays.asList("email", "emails", null, "Email"), null, null)))
			.allSatisfy((problem) -> assertThat(problem.action()).contains("secret, password, card, email"))
			.extracting(Problem::path)
			.containsExactly(List.of("detectors", "1"), List.of("detectors", "2"), List.of("detectors", "3"));
	}

	@Test
	void createWhenDetectorStandsTwiceSaysSo() {
		assertThat(problems(new RedactConfig(List.of("email", "card", "email"), null, null))).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("detectors", "2"));
	}

	@Test
	void createWhenNothingIsLeftToLookForSaysSo() {
		assertThat(problems(new RedactConfig(List.of(), null, null))).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("detectors"))
			.satisfies((problem) -> assertThat(problem.message()).contains("nothing would be redacted"));
		assertThat(problems(new RedactConfig(List.of(), Map.of(), null))).hasSize(1);
		assertThat(problems(new RedactConfig(null, Map.of(), null))).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("patterns"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "(a; not valid; \\(", "(?=a)b; look-ahead; Write", "``; empty; .*", "a*; no character is; '+'",
					"\\b; no character is; '+'", "^|a; no character is; '+'", "(a)\\1; back-reference; (a.*a|b.*b)",
					"a^b; found in no text; \\^", "[a&&[b]]; found in no text; brackets" })
	void createWhenPatternCannotBeUsedSaysWhereAndWhatToWrite(String pattern, String message, String action) {
		assertThat(problems(new RedactConfig(null, Map.of("employee", pattern), null))).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("patterns", "employee"))
			.satisfies((problem) -> assertThat(problem.message()).contains(message))
			.satisfies((problem) -> assertThat(problem.action()).contains(action));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = { "*hunter@evil.com; '\\S*'", "*.hunter; backslash",
			"hunter{a,b}; backslash", "hunter|\u200b; Remove it", "hunter|\ufe0f; \\x{FE0F}" })
	void createWhenPatternIsAGlobOrHoldsInvisibleCharactersSaysWhatToWriteAndQuotesNothing(String pattern,
			String action) {
		assertThat(problems(new RedactConfig(null, Map.of("employee", pattern), null))).singleElement()
			.satisfies((problem) -> assertThat(problem.action()).contains(action))
			.satisfies((problem) -> assertThat(problem.toString()).doesNotContain("hunter"));
	}

	@Test
	void patternOfTheAdviceFindsWhatIsMeant() {
		Redactor redactor = new Redactor(
				new RedactConfig(List.of(), Map.of("mail", "\\S*@evil\\.com", "wide", "ｒｍ"), null));
		assertThat(redactor.redact("to bob@evil.com now")).isEqualTo("to [redacted:mail] now");
		assertThat(redactor.redact("x ｒｍ y")).isEqualTo("x [redacted:wide] y");
	}

	@ParameterizedTest
	@ValueSource(strings = { "hunter\u200b2", "hunter2" })
	void patternWithInvisibleCharactersFindsWhatItsAuthorSees(String pattern) {
		Redactor redactor = new Redactor(new RedactConfig(List.of(), Map.of("mine", pattern), null));
		assertThat(redactor.redact("a hunter2 hunter\u200b2 b")).isEqualTo("a [redacted:mine] [redacted:mine] b");
		Redactor woman = new Redactor(new RedactConfig(List.of(), Map.of("mine", "👩\u200d💻"), null));
		assertThat(woman.redact("👩\u200d💻 👩💻")).isEqualTo("[redacted:mine] [redacted:mine]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a b", "a]", "é", "email", "Secret", "a:b",
			"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz" })
	void createWhenNameOfPatternCannotBeShownSaysSo(String name) {
		assertThat(problems(new RedactConfig(null, Map.of(name, "a"), null))).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("patterns", name))
			.satisfies((problem) -> assertThat(problem.message()).contains("name of"));
	}

	@Test
	void createWhenThereAreManyMistakesReportsAllAndQuotesNoPattern() {
		Map<String, String> patterns = new LinkedHashMap<>();
		patterns.put("hunter", "hunter2(");
		patterns.put("bad name", "x");
		patterns.putAll(Collections.singletonMap("none", null));
		assertThat(problems(new RedactConfig(List.of("nope"), patterns, null)))
			.allSatisfy((problem) -> assertThat(problem.toString()).doesNotContain("hunter2"))
			.extracting((problem) -> String.join(".", problem.path()))
			.containsExactly("detectors.0", "patterns.hunter", "patterns.bad name", "patterns.none");
	}

	@Test
	void configCopiesWhatItIsGiven() {
		List<String> detectors = new ArrayList<>(List.of("email"));
		RedactConfig config = new RedactConfig(detectors, null, null);
		detectors.clear();
		assertThat(config.detectors()).containsExactly("email");
	}

	private static List<Problem> problems(RedactConfig config) {
		return catchThrowableOfType(InvalidHookConfigException.class, () -> new RedactToolHook(config)).getProblems();
	}

}
