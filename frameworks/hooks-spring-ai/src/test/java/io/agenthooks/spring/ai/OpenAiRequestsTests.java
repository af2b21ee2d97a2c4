package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JsonNode;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests of what a real client sends to a server of OpenAI about tools that hooks decided
 * about.
 *
 * @see OpenAiToolCallsTests
 */
class OpenAiRequestsTests {

	private static ApplicationContextRunner runner(PreToolHook hook) {
		return Application.runner(hook).withUserConfiguration(OpenAiToolCallsTests.OpenAi.class);
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

	private static List<JsonNode> list(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false).toList();
	}

}
