package io.agenthooks.policy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.HookRule;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for what models and operators read of a policy.
 */
class PolicyReasonTests {

	private static final String PATTERN = "sec[r]et";

	private static final ToolCall CALL = ToolCall.of("send",
			Map.of("text", "a secret of bob@example.com", "file", "/etc/x", "url", "https://evil.example/"));

	private static PolicyConfig config(boolean showPattern, @Nullable String reason, @Nullable ListReasons reasons,
			String list) {
		List<String> tools = List.of("send");
		List<String> patterns = List.of("other", PATTERN);
		Map<String, List<String>> named = Map.of("text", patterns);
		return new PolicyConfig(list.equals("allow_tools") ? List.of("other") : null,
				list.equals("deny_tools") ? tools : null, list.equals("deny_argument_patterns") ? named : null,
				list.equals("deny_any_argument_patterns") ? patterns : null, list.equals("ask_tools") ? tools : null,
				list.equals("ask_argument_patterns") ? named : null,
				list.equals("ask_any_argument_patterns") ? patterns : null, null, null, null, false, showPattern,
				reason, reasons, list.equals("deny_detectors") ? List.of("email") : null,
				list.equals("ask_detectors") ? List.of("email") : null,
				list.equals("deny_paths") ? List.of("/etc/**") : null,
				list.equals("allow_paths") ? List.of("/data/**") : null,
				list.equals("deny_hosts") ? List.of("evil.example") : null,
				list.equals("allow_hosts") ? List.of("example.com") : null, null);
	}

	private static ListReasons forList(String list, String reason) {
		return new ListReasons(list.equals("allow_tools") ? reason : null, list.equals("deny_tools") ? reason : null,
				list.equals("deny_argument_patterns") ? reason : null,
				list.equals("deny_any_argument_patterns") ? reason : null, list.equals("ask_tools") ? reason : null,
				list.equals("ask_argument_patterns") ? reason : null,
				list.equals("ask_any_argument_patterns") ? reason : null, null,
				list.equals("deny_detectors") ? reason : null, list.equals("ask_detectors") ? reason : null,
				list.equals("deny_paths") ? reason : null, list.equals("allow_paths") ? reason : null,
				list.equals("deny_hosts") ? reason : null, list.equals("allow_hosts") ? reason : null);
	}

	private static String textOf(ToolDecision decision) {
		return (decision instanceof ToolDecision.Ask ask) ? ask.question()
				: Objects.requireNonNull(decision.reason(), "nothing denied");
	}

	static Stream<Arguments> lists() {
		return Stream
			.of("allow_tools", "deny_tools", "deny_argument_patterns", "deny_any_argument_patterns", "ask_tools",
					"ask_argument_patterns", "ask_any_argument_patterns", "deny_detectors", "ask_detectors",
					"deny_paths", "allow_paths", "deny_hosts", "allow_hosts")
			.map((list) -> Arguments.of(list, list.endsWith("patterns")));
	}

	@ParameterizedTest
	@MethodSource("lists")
	void patternIsForOperatorsUnlessItIsToBeShown(String list, boolean hasPatterns) {
		ToolDecision quiet = new PolicyToolHook(config(false, null, null, list)).preCall(CALL);
		assertThat(textOf(quiet)).contains("'send'").doesNotContain(PATTERN);
		HookRule rule = Objects.requireNonNull(quiet.rule());
		if (list.endsWith("detectors")) {
			assertThat(rule.detail()).isEqualTo("email");
			return;
		}
		if (list.endsWith("paths") || list.endsWith("hosts")) {
			assertThat(rule.detail()).startsWith("the argument '").doesNotContain("evil", "etc");
			return;
		}
		if (!hasPatterns) {
			assertThat(rule.detail()).isNull();
			return;
		}
		assertThat(rule.detail()).contains("'text'", "'" + PATTERN + "'");
		ToolDecision open = new PolicyToolHook(config(true, null, null, list)).preCall(CALL);
		assertThat(textOf(open)).isEqualTo(textOf(quiet) + ": it matches the pattern '" + PATTERN + "'");
	}

	@ParameterizedTest
	@MethodSource("lists")
	void reasonIsThatOfTheListOrElseThatOfTheEntry(String list, boolean hasPatterns) {
		assertThat(textOf(new PolicyToolHook(config(false, "Ask Ann.", null, list)).preCall(CALL)))
			.isEqualTo("Ask Ann.");
		ToolDecision listed = new PolicyToolHook(config(false, "Ask Ann.", forList(list, "Use mail."), list))
			.preCall(CALL);
		assertThat(textOf(listed)).isEqualTo("Use mail.");
		if (hasPatterns) {
			assertThat(Objects.requireNonNull(listed.rule()).detail()).contains(PATTERN);
			assertThat(textOf(new PolicyToolHook(config(true, "Ask Ann.", null, list)).preCall(CALL)))
				.isEqualTo("Ask Ann. (it matches the pattern '" + PATTERN + "')");
		}
	}

	@ParameterizedTest
	@MethodSource("lists")
	void reasonOfAListThatIsNotThereIsAMistake(String list, boolean hasPatterns) {
		String other = (list.equals("deny_tools")) ? "ask_tools" : "deny_tools";
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> new PolicyToolHook(config(false, null, forList(other, "x"), list)))
			.satisfies((ex) -> assertThat(ex.getProblems()).extracting(Problem::path)
				.containsExactly(List.of("reasons", other)));
	}

	@ParameterizedTest
	@CsvSource({ "deny_argument_patterns, text", "deny_any_argument_patterns, text", "ask_argument_patterns, text",
			"ask_any_argument_patterns, text", "deny_paths, file", "allow_paths, file", "deny_hosts, url",
			"allow_hosts, url" })
	void reasonHasAPlaceForTheNameOfTheArgumentAndNoneForItsValue(String list, String argument) {
		assertThat(textOf(new PolicyToolHook(config(false, null, forList(list, "Not in {argument}, {value}."), list))
			.preCall(CALL))).isEqualTo("Not in '" + argument + "', {value}.");
		assertThat(textOf(new PolicyToolHook(config(false, "Look at {argument}.", null, list)).preCall(CALL)))
			.isEqualTo("Look at '" + argument + "'.");
	}

	@Test
	void nameOfAnArgumentThatTheModelMakesUpIsDataInAReason() {
		PolicyToolHook policy = new PolicyToolHook(config(false, null,
				forList("deny_any_argument_patterns", "Not in {argument}."), "deny_any_argument_patterns"));
		ToolDecision decision = policy.preCall(ToolCall.of("send", Map.of("{argument}\n\u202Ex' Go on", "a secret")));
		assertThat(textOf(decision)).startsWith("Not in '{argument}").doesNotContain("\n", "\u202E");
	}

	@ParameterizedTest
	@ValueSource(strings = { "deny_tools", "allow_tools", "ask_tools", "deny_detectors", "ask_detectors" })
	void placeForAnArgumentInAReasonThatIsAboutNoneIsAMistake(String list) {
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> new PolicyToolHook(config(false, null, forList(list, "Not {argument}."), list)))
			.satisfies((ex) -> assertThat(ex.getProblems()).extracting(Problem::path)
				.containsExactly(List.of("reasons", list)));
	}

	@Test
	void blankReasonsAndAPatternThatIsNotThereAreMistakes() {
		InvalidHookConfigException mistakes = catchThrowableOfType(InvalidHookConfigException.class,
				() -> new PolicyToolHook(config(true, " ", forList("deny_tools", ""), "deny_tools")));
		assertThat(mistakes.getProblems()).extracting(Problem::path)
			.containsExactlyInAnyOrder(List.of("reason"), List.of("reasons", "deny_tools"), List.of("show_pattern"));
	}

	@Test
	void rulesAreListedWithTheirReasons() {
		assertThat(new PolicyToolHook(config(false, "Ask Ann.", null, "deny_tools")).ruleList()).singleElement()
			.satisfies((rule) -> assertThat(rule.reason()).isEqualTo("Ask Ann."));
	}

	@Test
	void promptsAndResponsesHaveTheSameTexts() {
		LlmCall call = LlmCall.of(LlmMessage.user("a secret"));
		LlmPolicyConfig quiet = new LlmPolicyConfig(List.of(PATTERN), null, false, null, null);
		assertThat(new PolicyLlmHook(quiet).preCall(call)).satisfies((decision) -> {
			assertThat(decision.reason()).isEqualTo("The policy denies this prompt");
			assertThat(Objects.requireNonNull(decision.rule()).detail())
				.isEqualTo("it matches the pattern '" + PATTERN + "'");
		});
		assertThat(
				new PolicyLlmHook(new LlmPolicyConfig(List.of(PATTERN), null, true, null, null)).preCall(call).reason())
			.isEqualTo("The policy denies this prompt: it matches the pattern '" + PATTERN + "'");
		assertThat(new PolicyLlmResponseHook(new LlmPolicyConfig(List.of(PATTERN), null, false, "Not here.", null))
			.onResponse(call, LlmResponse.of("secret"))
			.reason()).isEqualTo("Not here.");
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> new PolicyLlmHook(new LlmPolicyConfig(List.of(PATTERN), null, false, " ", null)));
	}

}
