package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.executor.ToolExecutorGuard;
import io.agenthooks.spring.prompt.PromptHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PromptHooksAutoConfiguration}.
 */
class PromptHooksAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class, PromptHooksAutoConfiguration.class));

	@ParameterizedTest
	@ValueSource(strings = { "tool_call.pre_call", "tool_call.post_call", "llm_call.pre_call", "llm_call.post_call",
			"run.pre_run" })
	void withoutSpringAiTheTypeSaysWhatIsMissing(String list) {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.ai"))
			.withPropertyValues("hooks." + list + "[0].type=prompt", "hooks." + list + "[0].config.prompt=$INPUT")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("needs a chat model of Spring AI, which is not on the class path"));
	}

	@Test
	void withoutSpringAiOtherHooksWork() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.ai"))
			.withPropertyValues("hooks.tool_call.pre_call[0].type=policy",
					"hooks.tool_call.pre_call[0].config.deny_tools[0]=*")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("promptToolHookFactory"));
	}

	/**
	 * A model needs the manager of tools, that needs the chain, and that has the judge.
	 */
	@Test
	void modelIsNotMadeBeforeItIsAsked() {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(ToolCallingAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class))
			.withUserConfiguration(Models.class)
			.withPropertyValues("hooks.tool_call.pre_call[0].type=prompt",
					"hooks.tool_call.pre_call[0].config.prompt=$INPUT")
			.run((context) -> {
				ToolResult result = context.getBean(ToolHookChain.class)
					.execute(ToolCall.of("t", Map.of()), context.getBean(ToolExecutor.class));
				assertThat(result.content()).contains("I judged");
			});
	}

	@Test
	void modelThatCannotBeMadeDeniesInSpiteOfFailOpen() {
		this.runner.withBean("model", ChatModel.class, () -> {
			throw new IllegalStateException("No key");
		}, (definition) -> definition.setLazyInit(true))
			.withPropertyValues("hooks.tool_call.pre_call[0].type=prompt", "hooks.tool_call.pre_call[0].fail_open=true",
					"hooks.tool_call.pre_call[0].config.prompt=$INPUT")
			.run((context) -> {
				ToolResult result = context.getBean(ToolHookChain.class)
					.execute(ToolCall.of("t", Map.of()), (call) -> ToolResult.success("ran"));
				assertThat(result.content()).contains("The judge is not available (BeanCreationException)");
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class Models {

		@Bean
		ChatModel chatModel(ToolCallingManager manager, ToolExecutor tools) {
			assertThat(SpringAiToolGuard.isGuarded(manager)).isTrue();
			assertThat(ToolExecutorGuard.isGuarded(tools)).isTrue();
			return (prompt) -> new ChatResponse(List
				.of(new Generation(new AssistantMessage("{\"decision\": \"deny\", \"reason\": \"I judged\"}"))));
		}

		@Bean
		ToolExecutor tools() {
			return (call) -> ToolResult.success("ran");
		}

	}

}
