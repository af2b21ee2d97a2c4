package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Flux;

import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What hooks see, and do not see, of ways to ask a model that Spring AI's interface does
 * not have.
 */
class OwnMethodsOfModelsTests {

	private final List<String> asked = new CopyOnWriteArrayList<>();

	private final ApplicationContextRunner runner = Application.runner((call) -> ToolDecision.approve())
		.withConfiguration(AutoConfigurations.of(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
				SpringAiModelCallsAutoConfiguration.class))
		.withPropertyValues("hooks.tool_call.unguarded=deny")
		.withBean("own", OwnModel.class, OwnModel::new)
		.withBean("primary", ScriptedChatModel.class, ScriptedChatModel::new,
				(definition) -> definition.setPrimary(true))
		.withBean("beforeModel", PreLlmHook.class, () -> (call) -> {
			call.messages().stream().map(LlmMessage::text).forEach(this.asked::add);
			return LlmDecision.approve();
		});

	@Test
	void methodsThatTakeAPromptAndReturnAResponseAreDecided() {
		Application.run(this.runner, (application) -> {
			OwnModel model = application.context().getBean(OwnModel.class);
			model.says("1").says("2");
			model.askNow(new Prompt("Now?"));
			model.askStreaming(new Prompt("Streaming?")).blockLast();
			assertThat(this.asked).containsExactly("Now?", "Streaming?");
		});
	}

	@Test
	void methodsThatReturnSomethingElseAreNotDecidedButToolsAreFound() {
		Application.run(this.runner, (application) -> {
			OwnModel model = application.context().getBean(OwnModel.class);
			model.says("Sunny");
			assertThat(model.askForText(new Prompt("Text?"))).isEqualTo("Sunny");
			assertThat(this.asked).isEmpty();
			Prompt offering = new Prompt("Weather?",
					ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new WeatherTools())).build());
			assertThatExceptionOfType(UnguardedToolException.class).isThrownBy(() -> model.askForText(offering));
		});
	}

	@Test
	void hooksDoNotSeeTheFormatThatAClientAsksFor() {
		Application.run(this.runner, (application) -> {
			ScriptedChatModel model = application.context().getBean("primary", ScriptedChatModel.class);
			model.says("{\"name\": \"Paris\"}");
			assertThat(application.client().prompt("Where?").call().entity(City.class)).isEqualTo(new City("Paris"));
			assertThat(this.asked).containsExactly("Where?");
			assertThat(model.prompts()).singleElement().asString().contains("JSON");
		});
	}

	/**
	 * What a client is asked for.
	 */
	record City(String name) {
	}

	/**
	 * Can be asked in more ways than others.
	 */
	static class OwnModel extends ScriptedChatModel {

		ChatResponse askNow(Prompt prompt) {
			return call(prompt);
		}

		Flux<ChatResponse> askStreaming(Prompt prompt) {
			return stream(prompt);
		}

		String askForText(Prompt prompt) {
			return String.valueOf(Objects.requireNonNull(call(prompt).getResult()).getOutput().getText());
		}

	}

}
