package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FinalModelFailureAnalyzer}.
 */
class FinalModelFailureAnalyzerTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallingAutoConfiguration.class, ToolCallHooksAutoConfiguration.class,
				SpringAiToolCallsAutoConfiguration.class))
		.withBean("hook", PreToolHook.class, () -> (call) -> ToolDecision.approve())
		.withUserConfiguration(Application.class);

	@Test
	void adviceNamesTheInterfaceAndWhatToWrite() {
		this.runner.run((context) -> {
			FailureAnalysis analysis = new FinalModelFailureAnalyzer()
				.analyze(Objects.requireNonNull(context.getStartupFailure()));
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("'model'").contains(FinalModel.class.getName());
			assertThat(analysis.getAction()).contains("Inject it as " + ChatModel.class.getName())
				.contains("set 'hooks.tool_call.unguarded' to 'warn'");
		});
	}

	@Test
	void adviceHelpsIfItIsFollowed() {
		this.runner.withPropertyValues("hooks.tool_call.unguarded=warn")
			.run((context) -> assertThat(context).hasSingleBean(Asking.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		FinalModel model() {
			return new FinalModel();
		}

		@Bean
		Asking asking(FinalModel model) {
			return new Asking(model);
		}

	}

	record Asking(FinalModel model) {
	}

	static final class FinalModel implements ChatModel {

		@Override
		public ChatResponse call(Prompt prompt) {
			return new ChatResponse(List.of());
		}

	}

}
