package io.agenthooks.spring.assembly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * No hook of the application, wherever it comes from, has the name of a built-in decider.
 */
class BuiltInDeciderNameTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"));

	private static void assertRefused(AssertableApplicationContext context, String name) {
		assertThat(context).getFailure()
			.rootCause()
			.satisfies((ex) -> assertThat(ex.toString()).contains(name, "decision that Agent Hooks makes itself"));
	}

	@ParameterizedTest
	@EnumSource
	void beanStopsTheStart(BuiltInDecider decider) {
		this.runner.withBean(decider.value(), PreToolHook.class, () -> (call) -> ToolDecision.approve())
			.run((context) -> assertRefused(context, "'" + decider.value() + "'"));
	}

	@Test
	void beanThatNamesItselfStopsTheStart() {
		this.runner
			.withBean("mine", PreToolHook.class,
					() -> PreToolHook.named("Kill_Switch", (call) -> ToolDecision.approve()))
			.run((context) -> assertRefused(context, "'Kill_Switch'"));
	}

	@Test
	void beansOfOtherKindsStopTheStart() {
		this.runner.withBean("context", PreLlmHook.class, () -> (call) -> LlmDecision.approve())
			.run((context) -> assertRefused(context, "'context'"));
		this.runner.withBean("arguments", PreRunHook.class, () -> (run) -> RunDecision.approve())
			.run((context) -> assertRefused(context, "'arguments'"));
		this.runner.withBean("unknownTool", PostToolHook.class, () -> (outcome) -> {
		}).run((context) -> assertRefused(context, "'unknownTool'"));
	}

	@Test
	void annotatedMethodStopsTheStart() {
		this.runner.withBean(Guards.class).run((context) -> assertRefused(context, "'unknown-tool'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.tool-call.pre-call[0]", "hooks.tool-call.post-call[0]",
			"hooks.llm-call.pre-call[0]", "hooks.run.pre-run[0]" })
	void entryStopsTheStart(String entry) {
		this.runner
			.withPropertyValues(entry + ".type=command", entry + ".config.command[0]=true",
					entry + ".name=nesting-limit")
			.run((context) -> assertRefused(context, entry + ".name"));
	}

	@Test
	void registrationIsRefused() {
		this.runner.run((context) -> {
			ToolHooks hooks = context.getBean(ToolHooks.class);
			assertThatIllegalArgumentException()
				.isThrownBy(() -> hooks.register("ARGUMENTS", (PreToolHook) (call) -> ToolDecision.approve()))
				.withMessageContaining("No hook may be named 'ARGUMENTS'");
			assertThat(hooks.list()).isEmpty();
		});
	}

	static class Guards {

		@BeforeToolCall(name = "unknown-tool")
		void look() {
		}

	}

}
