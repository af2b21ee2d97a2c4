package io.agenthooks.spring.entries;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.HookRule;
import io.agenthooks.spring.Explanation;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.test.LlmHooksTester;
import io.agenthooks.test.RunHooksTester;
import io.agenthooks.test.TestedToolCall;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for reasons that are written in the configuration: which one the model reads, and
 * what operators read beside it.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReasonEntriesTests {

	private static final Map<String, Object> ARGUMENTS = Map.of("command", "sudo ls", "amount", 7);

	private static ToolHooksTester hooks(String entry) {
		return ToolHooksTester.ofYaml("hooks:\n  tool_call:\n    pre_call:\n" + entry.indent(6));
	}

	static Stream<Arguments> written() {
		return Stream.of(
				Arguments.of("beside deny_tools", "{type: policy, config: {deny_tools: [run], reason: 'Use staging.'}}",
						"Use staging."),
				Arguments.of("on the entry", "{type: policy, reason: 'Use staging.', config: {deny_tools: [run]}}",
						"Use staging."),
				Arguments.of("on the list",
						"{type: policy, reason: x, config: {deny_tools: [run], reasons: {deny_tools: 'Use staging.'}}}",
						"Use staging."),
				Arguments.of("of patterns",
						"{type: policy, reason: 'Use staging.', config: {deny_argument_patterns: {command: [sudo]}}}",
						"Use staging."),
				Arguments.of("of packs",
						"{type: policy, reason: 'Use staging.', config: {packs: [shell-destructive], deny_tools: [run]}}",
						"Use staging."),
				Arguments.of("on the rule", """
						{type: policy, reason: x, config: {rules:
						  [{when: 'args.amount > 5', then: deny, reason: 'Use staging.'}]}}
						""".replace("\n", " "), "Use staging."), Arguments.of("for a rule without one", """
						{type: policy, reason: 'Use staging.', config: {rules: [{when: 'args.amount > 5', then: deny}]}}
						""".strip(), "Use staging."),
				Arguments.of("of another type",
						"{type: rate_limit, reason: 'Use staging.', config: {limit: 1 per minute, key: all}}",
						"Use staging."),
				Arguments.of("of a bean", "{type: bean, reason: 'Use staging.', config: {bean: guard}}",
						"Use staging."));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("written")
	void modelReadsTheReasonThatIsWritten(String where, String entry, String reason) {
		ToolHooksTester tester = hooks("- " + entry);
		if (entry.contains("guard")) {
			tester = tester.withBean("guard",
					(PreToolHook) (call) -> ToolDecision.deny("the forbidden pattern is sudo"));
		}
		try (ToolHooksTester hooks = tester) {
			if (where.equals("of another type")) {
				assertThat(hooks.call("run", ARGUMENTS)).isApproved();
			}
			TestedToolCall call = hooks.call("run", ARGUMENTS);
			assertThat(call).isDenied().withReason(reason);
			assertThat(Objects.requireNonNull(call.result()).forModel()).endsWith(": " + reason).doesNotContain("sudo");
		}
	}

	@Test
	void operatorsReadWhatTheHookSaidItself(CapturedOutput output) {
		try (ToolHooksTester hooks = hooks("- {type: bean, reason: 'Use staging.', config: {bean: guard}}")
			.withBean("guard", (PreToolHook) (call) -> ToolDecision.deny("it has sudo"))) {
			TestedToolCall call = hooks.call("run", ARGUMENTS);
			assertThat(Objects.requireNonNull(call.outcome().rule()).detail()).isEqualTo("it has sudo");
			Explanation explanation = hooks.getBean(ToolHooks.class).explain(ToolCall.of("run", ARGUMENTS), true);
			assertThat(explanation.reason()).isEqualTo("Use staging.");
			assertThat(explanation.hooks()).singleElement()
				.satisfies((hook) -> assertThat(hook.ruleDetail()).isEqualTo("it has sudo"));
		}
		assertThat(output).contains("is denied by 'guard': Use staging. (rule 'reason': it has sudo)");
	}

	@Test
	void operatorsReadWhichPatternMatchedAndWhereItIsWritten(CapturedOutput output) {
		try (ToolHooksTester hooks = hooks("""
				- type: policy
				  name: walls
				  config:
				    deny_argument_patterns:
				      command: ["rm -rf", "su[d]o"]
				""")) {
			TestedToolCall call = hooks.call("run", ARGUMENTS);
			assertThat(Objects.requireNonNull(call.result()).forModel()).isEqualTo(
					"Tool call denied by hook 'walls': The policy denies the tool 'run' with this argument 'command'");
			HookRule rule = Objects.requireNonNull(call.outcome().rule());
			assertThat(rule.detail()).isEqualTo("the argument 'command'; it matches the pattern 'su[d]o'");
			assertThat(output).contains("(" + rule.describe() + ")");
			assertThat(rule.describe()).contains("'deny_argument_patterns.command' at ", ":8:");
		}
	}

	@Test
	void failureOfAHookKeepsItsOwnReason() {
		try (ToolHooksTester hooks = hooks("- {type: bean, reason: 'Use staging.', config: {bean: guard}}")
			.withBean("guard", (PreToolHook) (call) -> {
				throw new IllegalStateException("boom");
			})) {
			assertThat(hooks.call("run", ARGUMENTS)).isDenied().withReason("The hook failed");
		}
	}

	@Test
	void abortsAndWithheldResultsHaveTheReasonOfTheEntry() {
		try (ToolHooksTester hooks = hooks("- {type: bean, reason: 'Use staging.', config: {bean: guard}}")
			.withBean("guard", (PreToolHook) (call) -> ToolDecision.abortTurn("sudo"))) {
			assertThat(hooks.call("run", ARGUMENTS).outcome().decision().reason()).isEqualTo("Use staging.");
		}
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    post_call:
				      - {type: bean, reason: 'Use staging.', config: {bean: guard}}
				""").withBean("guard", (ToolResultHook) (call, result) -> ToolDecision.deny("it says sudo"))) {
			assertThat(Objects.requireNonNull(hooks.call("run", ARGUMENTS).result()).forModel())
				.endsWith("'guard': Use staging.");
		}
	}

	@Test
	void modelCallsAndRunsHaveTheSameOption() {
		try (LlmHooksTester hooks = LlmHooksTester.ofYaml("""
				hooks:
				  llm_call:
				    pre_call:
				      - {type: policy, reason: 'Ask Ann.', config: {deny_patterns: [hello]}}
				""")) {
			assertThat(hooks.call("hello")).isDenied().withReason("Ask Ann.");
		}
		try (RunHooksTester hooks = RunHooksTester.ofYaml("""
				hooks:
				  run:
				    pre_run:
				      - {type: policy, reason: 'Ask Ann.', config: {rules: [{unless: 'has(user.name)', then: deny}]}}
				""")) {
			assertThat(hooks.run("hello")).isDenied().withReason("Ask Ann.");
		}
	}

	static Stream<Arguments> mistaken() {
		return Stream.of(Arguments
			.of("pre_call: [{type: policy, reason: a, config: {reason: b, deny_tools: [x]}}]", "is written twice"),
				Arguments.of("pre_call: [{type: passthrough, reason: ' '}]", "blank"),
				Arguments.of("pre_call: [{type: policy, config: {deny_tools: [x], reasons: {ask_tools: y}}}]",
						"There is no 'ask_tools'"),
				Arguments.of("pre_call: [{type: policy, config: {deny_tools: [x], show_pattern: true}}]",
						"no patterns"),
				Arguments.of("post_call: [{type: alert, reason: x, config: {when: 'outcome.duration_ms > 5'}}]",
						"only learns how calls ended"));
	}

	@ParameterizedTest
	@MethodSource("mistaken")
	void reasonThatNobodyWouldReadStopsTheStart(String list, String mistake) {
		assertThatException()
			.isThrownBy(() -> ToolHooksTester.ofYaml("hooks: {tool_call: {" + list + "}}").call("run", ARGUMENTS))
			.withMessageContaining(mistake);
	}

}
