package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.annotation.AfterToolCall;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for annotated methods in the chain that the starter assembles. What a method may
 * be is tested beside the annotations.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotatedMethodsInChainTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran " + call.tool()));

	@Test
	void methodsAreAskedInOrderBetweenBeansAndEntries(CapturedOutput output) {
		this.contextRunner.withBean("guards", Guards.class)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=passthrough")
			.run((context) -> {
				ToolExecutor executor = context.getBean(ToolExecutor.class);
				assertThat(executor.execute(ToolCall.of("delete_all", Map.of())).content())
					.contains("guards.mayDelete");
				assertThat(executor.execute(ToolCall.of("read", Map.of())).content()).isEqualTo("ran read");
				assertThat(context.getBean(Guards.class).ended).containsExactly("denied", "succeeded");
				assertThat(output).containsSubsequence("before the call",
						"1. guards.mayDelete (type method, order 5, from method 'guards.mayDelete')",
						"2. passthrough#0", "after the call", "1. guards.ended");
			});
	}

	@Test
	void startFailsWhenAMethodCannotBeCalledAsWritten() {
		this.contextRunner.withBean("wrong", Wrong.class)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("Wrong.check"));
	}

	@Test
	void startFailsWhenAMethodIsFoundTooLate() {
		this.contextRunner
			.withBean("hidden", Object.class, Guards::new, (definition) -> definition.setDependsOn("toolHooks"))
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("was not known as a hook"));
	}

	@Test
	void startFailsWhenTheObjectOfAMethodIsInACollection() {
		this.contextRunner.withBean("list", List.class, () -> List.of("text", List.of(new Guards())))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("Guards.mayDelete() is a method of an object in the collection 'list'",
						"Guards.ended(ToolOutcome)"));
	}

	@Test
	void beanWithAMethodMayBeInACollectionToo() {
		this.contextRunner.withBean("guards", Guards.class)
			.withUserConfiguration(AllGuards.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void startFailsWhenAChainOfTheApplicationWouldNotAskTheMethods() {
		this.contextRunner.withBean("guards", Guards.class)
			.withBean(ToolHookChain.class, () -> new ToolHookChain(List.of(), List.of()))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("annotated methods would not be asked"));
	}

	@Test
	void startFailsWhenAMethodSharesItsNameWithABeanAndAnEntry() {
		this.contextRunner.withBean("guards", Guards.class)
			.withBean("guards.mayDelete", PreToolHook.class, () -> (call) -> ToolDecision.approve())
			.withPropertyValues("hooks.tool-call.post-call[0].type=webhook",
					"hooks.tool-call.post-call[0].name=guards.ended",
					"hooks.tool-call.post-call[0].config.url=http://localhost/")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("The hook 'guards.mayDelete' of method 'guards.mayDelete' has the same name as "
						+ "the hook of the bean 'guards.mayDelete'")
				.hasMessageContaining(
						"The hook 'guards.ended' of test has the same name as the hook of the method 'guards.ended'"));
	}

	@Configuration(proxyBeanMethods = false)
	static class AllGuards {

		@Bean
		Map<String, Guards> all(Guards guards) {
			return Map.of("only", guards);
		}

	}

	static class Guards {

		private final List<String> ended = new ArrayList<>();

		@BeforeToolCall(tools = "delete_*", order = 5)
		boolean mayDelete() {
			return false;
		}

		@AfterToolCall
		void ended(ToolOutcome outcome) {
			this.ended.add(outcome.status().value());
		}

	}

	static class Wrong {

		@BeforeToolCall
		boolean check(String tool) {
			return tool.isEmpty();
		}

	}

}
