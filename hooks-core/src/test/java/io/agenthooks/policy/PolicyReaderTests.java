package io.agenthooks.policy;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link PolicyReader}, through the hook.
 */
class PolicyReaderTests {

	@Test
	void createWhenPolicyHasNoRuleSaysWhatToWrite() {
		assertThat(problems(new PolicyConfig(null, null, null, null))).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).isEmpty())
			.satisfies((problem) -> assertThat(problem.action()).contains("passthrough"));
		assertThat(problems(new PolicyConfig(null, List.of(), Map.of(), List.of()))).hasSize(1);
	}

	// B35
	@Test
	void createWhenAllowedToolsAreEmptyIsARule() {
		assertThatNoException().isThrownBy(() -> new PolicyToolHook(new PolicyConfig(List.of(), null, null, null)));
	}

	// B25
	@Test
	void createWhenArgumentHasNoPatternsNamesIt() {
		assertThat(problems(new PolicyConfig(null, null, Map.of("command", List.of()), null))).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("deny_argument_patterns", "command"));
		Map<String, @Nullable List<String>> absent = Collections.singletonMap("command", null);
		assertThat(problems(config(absent))).hasSize(1);
	}

	@Test
	void createWhenANamedPackIsNotGivenNamesItsPlace() {
		PolicyConfig named = packs("secret-files", "mine", "sql-ddl");
		assertThat(problems(named, List.of(pack("mine")))).extracting((problem) -> String.join(".", problem.path()))
			.containsExactly("packs.0", "packs.2");
		assertThat(problems(named, List.of(pack("mine"))).get(0).message()).contains("'secret-files'");
		assertThat(problems(named, List.of())).hasSize(3);
		assertThatNoException().isThrownBy(() -> new PolicyToolHook(packs("mine"), List.of(pack("mine")), null));
	}

	@Test
	void createWhenAGivenPackIsNotNamedSaysSo() {
		assertThat(problems(packs("mine"), List.of(pack("mine"), pack("other")))).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("packs"))
			.satisfies((problem) -> assertThat(problem.message()).contains("'other'"));
		assertThat(problems(new PolicyConfig(List.of("read_*"), null, null, null), List.of(pack("mine")))).hasSize(1);
	}

	private static PolicyConfig packs(String... names) {
		return new PolicyConfig(null, null, null, null, null, null, null, null, List.of(names), null, false, false,
				null, null, null, null, null, null, null, null, null);
	}

	private static RulePack pack(String name) {
		return new RulePack(name, 1, List.of(new RulePack.Rule("rule", "It is bad", "It is bad.", List.of("ASI02"),
				List.of("rm"), List.of(), List.of(), List.of())));
	}

	private static List<Problem> problems(PolicyConfig config, List<RulePack> packs) {
		return catchThrowableOfType(InvalidHookConfigException.class, () -> new PolicyToolHook(config, packs, null))
			.getProblems();
	}

	@Test
	void createWhenAListIsEmptyBesideAnotherRuleSaysSo() {
		assertThat(problems(new PolicyConfig(List.of("a"), List.of(), null, List.of())).stream().map(Problem::path))
			.containsExactly(List.of("deny_tools"), List.of("deny_any_argument_patterns"));
	}

	@Test
	void createWhenThereAreManyMistakesReportsAllWithTheirPlaces() {
		Map<String, List<String>> patterns = new LinkedHashMap<>();
		patterns.put("command", List.of("rm", "a(?=b)", "(", ""));
		patterns.put(" ", List.of("x"));
		patterns.put("path", List.of());
		PolicyConfig config = new PolicyConfig(Arrays.asList("read_*", " ", null), List.of("", "run command", "x\n"),
				patterns, List.of("(a)\\1", "ok"));
		assertThat(problems(config).stream().map((problem) -> String.join(".", problem.path()))).containsExactly(
				"allow_tools.1", "allow_tools.2", "deny_tools.0", "deny_tools.1", "deny_tools.2",
				"deny_argument_patterns.command.1", "deny_argument_patterns.command.2",
				"deny_argument_patterns.command.3", "deny_argument_patterns. ", "deny_argument_patterns.path",
				"deny_any_argument_patterns.0");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = { "a(?=b); look-ahead at offset 1; Write ab for a(?=b)",
			"(?!x)y; look-ahead at offset 0; texts to deny", "(?<=a)b; look-behind at offset 0; Write ab for (?<=a)b",
			"x(?<!a)b; look-behind at offset 1; texts to deny", "(?>a)b; atomic group at offset 0; (?:...)",
			"(a|b).*\\1; back-reference at offset 7; (a.*a|b.*b)",
			"(?<x>a)\\k<x>; back-reference at offset 7; alternatives",
			"a++b; possessive quantifier at offset 1; Remove", "a*+; possessive; Remove", "a{2}+; possessive; Remove",
			"\\Gx; \\G at offset 0; \\A", "\\X; \\X at offset 0; \\P{M}",
			"a\\b{g}; boundary of characters at offset 1; \\b", "(?x)a b; flag x at offset 0; without blanks",
			"(?U)\\w; flag U at offset 0; \\p{IsAlphabetic}", "(?d)a$; flag d at offset 0; \\n",
			"(?-u)a; flag -u; Remove", "[[:alpha:]]; POSIX class in brackets at offset 1; \\p{Alpha}",
			"[a[:digit:]]; POSIX class; \\p{Alpha}", "[a&&]; intersection with nothing at offset 2; \\&",
			"a{2}{3}; quantifier behind a quantifier at offset 1; (?:a{2}){3}", "\\d{4}{4}; quantifier; group",
			"a{1,20000}; 10000 steps; smaller number", "((a{100}){100}){100}; 10000 steps; smaller",
			"(a; not valid at offset 2: Unclosed group; \\(", "a); not valid; \\)", "[a; not valid; \\[",
			"*a; not valid at offset 0: Dangling meta; backslash", "a**; not valid; backslash", "a{; not valid; \\{",
			"{; not valid; \\{", "a{2,1}; not valid; {n,m}", "(?P<x>a); not valid; (?<name>...)",
			"\\; ends in a single backslash; Write \\\\ for",
			"C:\\\\Temp\\; ends in a single backslash; Write \\\\ for", "(a|\\; not valid; \\(",
			"\\Qa\\E\\; ends in a single backslash; Write \\\\ for", "\\p{Nope}; not valid; java.util.regex",
			"(?i); is empty; '.*'", "(); is empty; '.*'", "a^b; found in no text; \\^", "$a; found in no text; \\$",
			"[a&&[b]]; found in no text; brackets", "foo\\bbar; found in no text; Remove \\b" })
	void createWhenPatternIsNotUsableSaysWhereAndWhatToWrite(String pattern, String message, String action) {
		assertThat(problems(config(Map.of("command", List.of("ok", pattern))))).singleElement()
			.satisfies(
					(problem) -> assertThat(problem.path()).containsExactly("deny_argument_patterns", "command", "1"))
			.satisfies((problem) -> assertThat(problem.message()).contains(message))
			.satisfies((problem) -> assertThat(problem.action()).contains(action));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\bcurl", "rm -rf\n", "a\tb", "a\u007Fb", "\u0000" })
	void createWhenPatternHoldsControlCharacterSaysHowToQuoteIt(String pattern) {
		assertThat(problems(config(Map.of("command", List.of(pattern))))).singleElement()
			.satisfies((problem) -> assertThat(problem.message()).contains("control character"))
			.satisfies((problem) -> assertThat(problem.action()).contains("single quotes"));
	}

	@Test
	void createWhenPatternHoldsSecretDoesNotQuoteIt() {
		assertThat(problems(
				config(Map.of("command", List.of("\\p{hunter2}", "(?<hunter2>a)(?<hunter2>b)", "\\k<hunter2>")))))
			.hasSize(3)
			.allSatisfy((problem) -> assertThat(problem.toString()).doesNotContain("hunter2"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 101, 5000, 100_000 })
	@Timeout(20)
	void createWhenPatternIsNestedDeepReportsItWithoutOverflow(int depth) {
		for (String pattern : List.of("(".repeat(depth) + "a" + ")".repeat(depth),
				"(?:".repeat(depth) + "a" + ")*".repeat(depth), "[".repeat(depth) + "a" + "]".repeat(depth))) {
			assertThat(problems(config(Map.of("command", List.of(pattern))))).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "a?", "(a)", "a|", "(a|b)?", "[a]", "\\." })
	@Timeout(20)
	void createWhenPatternIsLongNeverOverflows(String part) {
		String pattern = part.repeat(5000 / part.length());
		try {
			new PolicyToolHook(config(Map.of("command", List.of(pattern))));
		}
		catch (InvalidHookConfigException ex) {
			assertThat(ex.getProblems()).hasSize(1);
		}
		assertThat(problems(config(Map.of("command", List.of(part.repeat(5001)))))).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a{1000}", ".*", "(?i)a", " ", "a|", "\\Q\\E.", "[^\\p{L}&&[^x]]", "\\R\\h\\v\\Z",
			"x{0,1000}" })
	void createWhenPatternIsUnusualButUsableAcceptsIt(String pattern) {
		assertThatNoException().isThrownBy(() -> new PolicyToolHook(config(Map.of("command", List.of(pattern)))));
	}

	private static PolicyConfig config(Map<String, ? extends @Nullable List<String>> patterns) {
		Map<String, List<String>> copy = new LinkedHashMap<>();
		patterns.forEach(copy::put);
		return new PolicyConfig(null, null, copy, null);
	}

	private static List<Problem> problems(PolicyConfig config) {
		InvalidHookConfigException ex = catchThrowableOfType(InvalidHookConfigException.class,
				() -> new PolicyToolHook(config));
		assertThat(ex).isNotNull();
		return ex.getProblems();
	}

}
