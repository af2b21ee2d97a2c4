package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.annotation.AfterToolCall;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose hooks decide nothing says so once, at its start.
 */
@ExtendWith(OutputCaptureExtension.class)
class DecidingHooksTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private static final String LLM = "hooks.llm_call.pre_call[0].";

	private static final String POST = "hooks.tool_call.post_call[0].";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class));

	static Stream<Arguments> hooks() {
		return Stream.of(Arguments.of("nothing", properties("x=y"), false),
				Arguments.of("a hook that only learns", bean(PostToolHook.class, (outcome) -> {
				}), false), Arguments.of("a method that only learns", user(Learning.class), false),
				Arguments.of("an entry that only observes",
						properties(ENTRY + "type=policy", ENTRY + "config.deny_tools[0]=x", ENTRY + "mode=observe"),
						false),
				Arguments.of("an entry that is off",
						properties(ENTRY + "type=policy", ENTRY + "config.deny_tools[0]=x", ENTRY + "enabled=false"),
						false),
				Arguments.of("an entry that lets all pass", properties(ENTRY + "type=passthrough"), false),
				Arguments.of("an entry that masks only", properties(ENTRY + "type=redact"), false),
				Arguments.of("an entry about model calls that only observes",
						properties(LLM + "type=policy", LLM + "config.deny_patterns[0]=x", LLM + "mode=observe"),
						false),
				Arguments.of("an entry that denies what it would mask",
						properties(ENTRY + "type=redact", ENTRY + "config.strategy=deny"), true),
				Arguments.of("an entry about results", properties(POST + "type=redact"), true),
				Arguments.of("an entry", properties(ENTRY + "type=policy", ENTRY + "config.deny_tools[0]=x"), true),
				Arguments.of("a bean", bean(PreToolHook.class, (call) -> ToolDecision.approve()), true),
				Arguments.of("an annotated method", user(Guarding.class), true),
				Arguments.of("a chain of the application", user(OwnChain.class), true),
				Arguments.of("the switch of all tools", properties("hooks.tool_call.kill_switch=true"), true),
				Arguments.of("a hook about model calls", bean(PreLlmHook.class, (call) -> LlmDecision.approve()), true),
				Arguments.of("a hook about runs", bean(PreRunHook.class, (run) -> RunDecision.approve()), true),
				Arguments.of("hooks that are switched off", properties("hooks.tool_call.bypass_hooks=true"), true));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("hooks")
	void startSaysOnceThatNothingDecides(String what, UnaryOperator<ApplicationContextRunner> hooks, boolean decides,
			CapturedOutput output) {
		hooks.apply(this.runner).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output.toString().split("No hook decides, so every tool runs", -1)).hasSize((decides) ? 1 : 2);
		});
	}

	private static UnaryOperator<ApplicationContextRunner> properties(String... properties) {
		return (runner) -> runner.withPropertyValues(properties);
	}

	private static <T> UnaryOperator<ApplicationContextRunner> bean(Class<T> type, T bean) {
		return (runner) -> runner.withBean("hook", type, () -> bean);
	}

	private static UnaryOperator<ApplicationContextRunner> user(Class<?> configuration) {
		return (runner) -> runner.withUserConfiguration(configuration);
	}

	@Configuration(proxyBeanMethods = false)
	static class Guarding {

		@BeforeToolCall
		void check(ToolCall call) {
			// It could throw.
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Learning {

		@AfterToolCall
		void learn(ToolOutcome outcome) {
			// It cannot decide.
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnChain {

		@Bean
		ToolHookChain chain() {
			return new ToolHookChain(List.of((call) -> ToolDecision.approve()), List.of());
		}

	}

}
