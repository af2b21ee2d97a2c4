package io.agenthooks.spring.ai;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

import io.micrometer.observation.ObservationRegistry;
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
import tools.jackson.databind.JsonNode;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * All that holds for tool calls of a scripted model, with Spring AI's client of OpenAI in
 * between: the script is behind a server that speaks the real format, so what the model
 * gets to read is what that server got as JSON.
 */
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

	@ParameterizedTest
	@EnumSource
	void serverGetsEachReplyUnderTheIdOfItsCallBehindTheMessageWithTheCalls(Way way) {
		PreToolHook hook = (call) -> switch (String.valueOf(call.arguments().get("city"))) {
			case "Paris" -> ToolDecision.deny("Not Paris");
			case "Rome" -> ToolDecision.modify(Map.of("city", "Roma"));
			default -> ToolDecision.approve();
		};
		Application.run(runner(hook), (application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", "{\"city\": \"Rome\"}"), model.call("weather", "{\"city\": \"Paris\"}"),
					model.call("weather", "{\"city\": \"Oslo\"}"));
			WeatherTools tools = new WeatherTools();
			way.ask(application.client().prompt("Weather?").tools(tools));
			assertThat(tools.cities).containsExactly("Roma", "Oslo");
			List<JsonNode> requests = application.context().getBean(OpenAiServer.class).requests();
			assertThat(requests).hasSize(2);
			assertThat(requests.get(0).at("/tools")).hasSize(3);
			assertThat(requests.get(1).at("/tools")).isEqualTo(requests.get(0).at("/tools"));
			List<JsonNode> messages = list(requests.get(1).at("/messages"));
			assertThat(messages).extracting((message) -> message.path("role").asString())
				.containsExactly("user", "assistant", "tool", "tool", "tool");
			assertThat(list(messages.get(1).at("/tool_calls")))
				.extracting((call) -> call.path("id").asString(), (call) -> call.at("/function/arguments").asString())
				.containsExactly(tuple("call-1", "{\"city\": \"Rome\"}"), tuple("call-2", "{\"city\": \"Paris\"}"),
						tuple("call-3", "{\"city\": \"Oslo\"}"));
			assertThat(messages.subList(2, 5))
				.extracting((message) -> message.path("tool_call_id").asString(),
						(message) -> message.path("content").asString())
				.containsExactly(tuple("call-1", "\"sunny in Roma\""),
						tuple("call-2", "Tool call denied by hook 'hook': Not Paris"),
						tuple("call-3", "\"sunny in Oslo\""));
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

	private static List<JsonNode> list(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false).toList();
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
