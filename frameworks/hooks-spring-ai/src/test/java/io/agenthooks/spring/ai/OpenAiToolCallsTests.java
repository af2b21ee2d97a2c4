package io.agenthooks.spring.ai;

import java.io.IOException;

import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * All that holds for tool calls of a scripted model, with Spring AI's client of OpenAI in
 * between: the script is behind a server that speaks the real format, so what the model
 * gets to read is what that server got as JSON.
 *
 * @see OpenAiRequestsTests
 */
@Tag("slow")
class OpenAiToolCallsTests extends SpringAiToolCallsTests {

	@Override
	ApplicationContextRunner runner(PreToolHook hook) {
		return super.runner(hook).withUserConfiguration(OpenAi.class);
	}

	/**
	 * Here it is Spring AI's client of OpenAI that refuses it, with the whole answer.
	 */
	@Override
	@ParameterizedTest
	@EnumSource
	@SuppressWarnings("NullAway") // what a provider left out
	void callWithoutANameIsThatOfNoTool(Way way) {
		Application.run(runner((call) -> ToolDecision.approve()), (application) -> {
			ScriptedChatModel model = application.model();
			model.calls(new AssistantMessage.ToolCall("1", "function", null, "{}"), model.call("weather", "{}"));
			WeatherTools tools = new WeatherTools();
			assertThatException().isThrownBy(() -> way.ask(application.client().prompt("Weather?").tools(tools)))
				.withMessageContaining("name");
			assertThat(tools.cities).isEmpty();
		});
	}

	/**
	 * The client itself does not take such a call from a stream.
	 */
	@Override
	@ParameterizedTest
	@EnumSource
	void callWithoutAnIdGetsOne(Way way) {
		if (way == Way.STREAM) {
			assertThatIllegalStateException().isThrownBy(() -> super.callWithoutAnIdGetsOne(way))
				.withMessage("Tool call id is missing");
		}
		else {
			super.callWithoutAnIdGetsOne(way);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class OpenAi {

		@Bean
		OpenAiServer openAiServer(ScriptedChatModel model) throws IOException {
			return new OpenAiServer(model);
		}

		@Bean
		@Primary
		OpenAiChatModel openAiChatModel(OpenAiServer server, ObjectProvider<ObservationRegistry> observations) {
			return OpenAiChatModel.builder()
				.options(OpenAiChatOptions.builder()
					.baseUrl(server.url())
					.apiKey("test")
					.model("stub")
					.maxRetries(0)
					.build())
				.observationRegistry(observations.getObject())
				.build();
		}

	}

}
