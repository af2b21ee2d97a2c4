package io.agenthooks.spring.ai;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link UnguardedTools}: tools that no hook guards are found, and those that
 * are guarded raise no alarm.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnguardedToolsTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final ApplicationContextRunner RUNNER = Application.runner((call) -> ToolDecision.approve());

	private final WeatherTools tools = new WeatherTools();

	@ParameterizedTest
	@EnumSource
	void toolOfAClientThatNobodyPreparedIsFoundAndToldOnce(Way way, CapturedOutput output) {
		Application.run(RUNNER, (application) -> {
			ChatClient client = ChatClient.create(application.model());
			application.model().calls("weather", PARIS);
			way.ask(client.prompt("Weather?").tools(weather()));
			way.ask(client.prompt("Weather?").tools(weather()));
			assertThat(this.tools.cities).containsExactly("Paris");
			assertThat(count(application)).isEqualTo(3);
			assertThat(output.toString().split("The tool 'weather' is offered to a model outside", -1)).hasSize(2);
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolOfAClientThatNobodyPreparedDoesNotRunIfThatIsDenied(Way way) {
		Application.run(RUNNER.withPropertyValues("hooks.tool_call.unguarded=deny"), (application) -> {
			application.model().calls("weather", PARIS);
			assertThatExceptionOfType(UnguardedToolException.class)
				.isThrownBy(() -> way.ask(ChatClient.create(application.model()).prompt("Weather?").tools(weather())))
				.withMessageContaining("weather")
				.withMessageContaining("HookedToolCallbacks");
			assertThat(this.tools.cities).isEmpty();
			assertThat(application.model().prompts()).isEmpty();
			assertThat(count(application)).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@EnumSource
	void nobodyLooksIfThatIsIgnored(Way way, CapturedOutput output) {
		Application.run(RUNNER.withPropertyValues("hooks.tool_call.unguarded=ignore"), (application) -> {
			application.model().calls("weather", PARIS);
			way.ask(ChatClient.create(application.model()).prompt("Weather?").tools(weather()));
			assertThat(this.tools.cities).containsExactly("Paris");
			assertThat(count(application)).isZero();
			assertThat(output).doesNotContain("guarded ChatClient");
		});
	}

	@ParameterizedTest
	@EnumSource
	void guardedToolsRaiseNoAlarm(Way way) {
		ApplicationContextRunner runner = RUNNER.withPropertyValues("hooks.tool_call.unguarded=deny")
			.withBean("weatherTool", ToolCallback.class, this::weather);
		Application.run(runner, (application) -> {
			ToolCallback agent = FunctionToolCallback.builder("researcher", () -> {
				way.ask(application.client().prompt("Research").tools(this.tools));
				return "asked";
			}).build();
			application.model().calls("researcher", "{}").calls("weather", PARIS).says("found");
			way.ask(application.client().prompt("Ask").tools(agent));
			application.model().calls("weather", PARIS);
			way.ask(ChatClient.create(application.model())
				.prompt("Weather?")
				.tools(application.context().getBean("weatherTool")));
			assertThat(this.tools.cities).containsExactly("Paris", "Paris");
			assertThat(count(application)).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolOfAnUnpreparedClientWithinAGuardedToolIsFound(Way way) {
		Application.run(RUNNER, (application) -> {
			ToolCallback agent = FunctionToolCallback.builder("researcher", () -> {
				way.ask(ChatClient.create(application.model()).prompt("Research").tools(weather()));
				return "asked";
			}).build();
			application.model().calls("researcher", "{}");
			way.ask(application.client().prompt("Ask").tools(agent));
			assertThat(count(application)).isEqualTo(1);
		});
	}

	@Test
	void toolThatAManagerOfNobodyCallsIsFoundIfItIsObserved() {
		Application.run(RUNNER.withPropertyValues("hooks.tool_call.unguarded=deny"), (application) -> {
			ToolCallingManager manager = ToolCallingManager.builder()
				.observationRegistry(application.context().getBean(ObservationRegistry.class))
				.build();
			Prompt prompt = new Prompt("Weather?", ToolCallingChatOptions.builder().toolCallbacks(weather()).build());
			ChatResponse response = new ScriptedChatModel().calls("weather", PARIS).call(prompt);
			assertThatExceptionOfType(UnguardedToolException.class)
				.isThrownBy(() -> manager.executeToolCalls(prompt, response))
				.withMessageContaining("is called without passing the hooks");
			assertThat(this.tools.cities).isEmpty();
			application.context().getBean(ToolCallingManager.class).executeToolCalls(prompt, response);
			assertThat(this.tools.cities).containsExactly("Paris");
		});
	}

	@Test
	void choiceThatIsNoneStopsTheStart() {
		RUNNER.withPropertyValues("hooks.tool_call.unguarded=forbid")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("hooks.tool_call.unguarded")
				.hasMessageContaining("is none of ignore, warn, deny"));
	}

	@Test
	void switchThatIsNoneStopsTheStart() {
		RUNNER.withPropertyValues("hooks.tool_call.wrap_tool_callbacks=flase")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("is neither true nor false"));
	}

	private static double count(Application application) {
		return application.context()
			.getBean(MeterRegistry.class)
			.find("hooks.unguarded")
			.tags("tool", "weather")
			.counters()
			.stream()
			.mapToDouble((counter) -> counter.count())
			.sum();
	}

	private ToolCallback weather() {
		return List.of(ToolCallbacks.from(this.tools))
			.stream()
			.filter((tool) -> tool.getToolDefinition().name().equals("weather"))
			.findAny()
			.orElseThrow();
	}

}
