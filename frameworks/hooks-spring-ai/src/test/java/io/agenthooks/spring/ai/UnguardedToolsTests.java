package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResultHook;

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

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private static final ApplicationContextRunner NO_HOOKS = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallingAutoConfiguration.class, ToolCallHooksAutoConfiguration.class,
				SpringAiToolCallsAutoConfiguration.class));

	private static final ApplicationContextRunner QUIET = NO_HOOKS.withBean("hook", PreToolHook.class,
			() -> (call) -> ToolDecision.approve());

	private final WeatherTools tools = new WeatherTools();

	@ParameterizedTest
	@EnumSource
	void toolOfAClientThatNobodyPreparedIsFoundAndToldOnce(Way way, CapturedOutput output) {
		Application.run(RUNNER.withPropertyValues("hooks.tool_call.unguarded=warn"), (application) -> {
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
				.withMessageContaining("SpringAiToolHooks");
			assertThat(this.tools.cities).isEmpty();
			assertThat(application.model().prompts()).isEmpty();
			assertThat(count(application)).isEqualTo(1);
		});
	}

	static Stream<Arguments> hooks() {
		return Stream.of(Arguments.of("nothing", UnaryOperator.<ApplicationContextRunner>identity(), false),
				Arguments.of("a bean", bean(PreToolHook.class, (call) -> ToolDecision.approve()), true),
				Arguments.of("an entry", properties(ENTRY + "type=policy", ENTRY + "config.deny_tools[0]=delete_*"),
						true),
				Arguments.of("an entry that only observes",
						properties(ENTRY + "type=policy", ENTRY + "config.deny_tools[0]=delete_*",
								ENTRY + "mode=observe"),
						false),
				Arguments.of("an entry that is off",
						properties(ENTRY + "type=policy", ENTRY + "config.deny_tools[0]=delete_*",
								ENTRY + "enabled=false"),
						false),
				Arguments.of("the switch of all tools", properties("hooks.tool_call.kill_switch=true"), true),
				Arguments.of("an annotated method", user(AnnotatedGuard.class), true),
				Arguments.of("a hook about results",
						bean(ToolResultHook.class, (call, result) -> ToolDecision.approve()), true),
				Arguments.of("a hook that only learns", bean(PostToolHook.class, (outcome) -> {
				}), false), Arguments.of("a chain of the application", user(OwnChain.class), true));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("hooks")
	void toolIsDeniedUnlessWrittenOtherwiseAsSoonAsAHookDecides(String what,
			UnaryOperator<ApplicationContextRunner> hooks, boolean denied) {
		ApplicationContextRunner runner = hooks.apply(NO_HOOKS.withUserConfiguration(Observed.class));
		ask(runner, denied);
		ask(runner.withPropertyValues("hooks.tool_call.unguarded=warn"), false);
	}

	@Test
	void hookThatIsRegisteredWhileTheApplicationRunsDecidesToo() {
		NO_HOOKS.withUserConfiguration(Observed.class).run((context) -> {
			ScriptedChatModel model = context.getBean(ScriptedChatModel.class);
			model.call(new Prompt("Weather?", offering()));
			ActiveHooks.Registration registration = context.getBean(ToolHooks.class)
				.register("late", (PreToolHook) (call) -> ToolDecision.approve());
			assertThatExceptionOfType(UnguardedToolException.class)
				.isThrownBy(() -> model.call(new Prompt("Weather?", offering())));
			registration.close();
			model.call(new Prompt("Weather?", offering()));
		});
	}

	private void ask(ApplicationContextRunner runner, boolean denied) {
		runner.run((context) -> {
			ScriptedChatModel model = context.getBean(ScriptedChatModel.class);
			if (denied) {
				assertThatExceptionOfType(UnguardedToolException.class)
					.isThrownBy(() -> model.call(new Prompt("Weather?", offering())))
					.withMessageContaining("wrap the tool with the SpringAiToolHooks bean")
					.withMessageContaining("set 'hooks.tool_call.unguarded' to 'warn'");
				assertThat(model.prompts()).isEmpty();
				assertThatExceptionOfType(UnguardedToolException.class).isThrownBy(
						() -> context.getBean("final", ChatModel.class).call(new Prompt("Weather?", offering())));
			}
			else {
				model.call(new Prompt("Weather?", offering()));
				assertThat(model.prompts()).hasSize(1);
			}
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

	/**
	 * What keeps Spring AI from observing.
	 */
	enum Silence {

		NOTHING, ALL_OBSERVATIONS("management.observations.enable.all=false"),

		OBSERVATIONS_OF_AI("management.observations.enable.gen_ai=false"),

		OBSERVATIONS_OF_MODELS("management.observations.enable.gen_ai.client.operation=false"),

		NO_REGISTRY, MODEL_THAT_OBSERVES_NOTHING;

		private final String property;

		Silence() {
			this("management.observations.enable.none=false");
		}

		Silence(String property) {
			this.property = property;
		}

		ApplicationContextRunner in(ApplicationContextRunner runner) {
			return (this == NO_REGISTRY) ? runner
					: runner.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
						.withPropertyValues(this.property);
		}

	}

	static Stream<Arguments> silences() {
		return Stream.of(Silence.values())
			.flatMap((silence) -> Stream.of(Way.values()).map((way) -> Arguments.of(silence, way)));
	}

	@ParameterizedTest
	@MethodSource("silences")
	void modelThatIsABeanIsNotOfferedAToolThatPassesNoHooks(Silence silence, Way way) {
		ApplicationContextRunner runner = silence.in(QUIET.withPropertyValues("hooks.tool_call.unguarded=deny"))
			.withUserConfiguration(
					(silence == Silence.MODEL_THAT_OBSERVES_NOTHING) ? Unobserved.class : Observed.class);
		runner.run((context) -> {
			ScriptedChatModel model = context.getBean(ScriptedChatModel.class);
			model.calls("weather", PARIS);
			ChatModel asked = context.getBean("final", ChatModel.class);
			for (ChatModel bean : List.of(model, asked)) {
				assertThatExceptionOfType(UnguardedToolException.class)
					.isThrownBy(() -> way.ask(ChatClient.create(bean).prompt("Weather?").tools(weather())))
					.withMessageContaining("weather");
			}
			assertThatExceptionOfType(UnguardedToolException.class)
				.isThrownBy(() -> model.call(new Prompt("Weather?", offering())));
			assertThatExceptionOfType(UnguardedToolException.class)
				.isThrownBy(() -> model.stream(new Prompt("Weather?", offering())).blockLast());
			assertThat(model.prompts()).isEmpty();
			assertThat(this.tools.cities).isEmpty();
			assertThat(model.call(new Prompt("Weather?")).getResult()).isNotNull();
		});
	}

	@Test
	void toolThatAModelOffersByItselfIsFound() {
		QUIET.withPropertyValues("hooks.tool_call.unguarded=deny")
			.withBean("offering", ChatModel.class, () -> new ScriptedChatModel() {

				@Override
				public ChatOptions getOptions() {
					return offering();
				}

			})
			.run((context) -> assertThatExceptionOfType(UnguardedToolException.class)
				.isThrownBy(() -> context.getBean("offering", ChatModel.class).call("Weather?")));
	}

	@ParameterizedTest
	@EnumSource
	void clientOfAModelThatIsNoBeanIsFoundIfItIsObserved(Way way) {
		Application.run(RUNNER.withPropertyValues("hooks.tool_call.unguarded=deny"), (application) -> {
			ObservationRegistry registry = application.context().getBean(ObservationRegistry.class);
			ChatClient client = ChatClient.create(new ScriptedChatModel(() -> registry));
			assertThatExceptionOfType(UnguardedToolException.class)
				.isThrownBy(() -> way.ask(client.prompt("Weather?").tools(weather())));
			assertThat(count(application)).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolsOfAnotherLoopInAGuardedClientRaiseAnAlarm(Way way) {
		Application.run(RUNNER.withPropertyValues("hooks.tool_call.unguarded=deny"), (application) -> {
			ToolCallingAdvisor loop = new OfferingLoop(ToolCallingManager.builder().build(), weather());
			assertThatExceptionOfType(UnguardedToolException.class)
				.isThrownBy(() -> way.ask(application.client().prompt("Weather?").advisors(loop)));
			ToolCallingAdvisor guarded = new OfferingLoop(application.context().getBean(ToolCallingManager.class),
					weather());
			application.model().calls("weather", PARIS);
			way.ask(application.client().prompt("Weather?").advisors(guarded));
			assertThat(application.outcomes()).hasSize(1);
		});
	}

	private ToolCallingChatOptions offering() {
		return ToolCallingChatOptions.builder().toolCallbacks(weather()).build();
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

	/**
	 * Offers a tool in each round, as one that searches for tools does.
	 */
	private static final class OfferingLoop extends ToolCallingAdvisor {

		private final ToolCallback tool;

		OfferingLoop(ToolCallingManager manager, ToolCallback tool) {
			super(manager, DEFAULT_TOOL_EXECUTION_ELIGIBILITY_CHECKER, DEFAULT_ORDER, true);
			this.tool = tool;
		}

		@Override
		protected ChatClientRequest doBeforeCall(ChatClientRequest request, CallAdvisorChain chain) {
			return offer(request);
		}

		@Override
		protected ChatClientRequest doBeforeStream(ChatClientRequest request, StreamAdvisorChain chain) {
			return offer(request);
		}

		private ChatClientRequest offer(ChatClientRequest request) {
			ToolCallingChatOptions options = (ToolCallingChatOptions) Objects
				.requireNonNull(request.prompt().getOptions());
			return request.mutate()
				.prompt(new Prompt(request.prompt().getInstructions(),
						options.mutate().toolCallbacks(this.tool).build()))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnnotatedGuard {

		@BeforeToolCall
		void check(ToolCall call) {
			// It could throw.
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnChain {

		@Bean
		ToolHookChain chain() {
			return new ToolHookChain(List.of((call) -> ToolDecision.approve()), List.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Observed {

		@Bean
		ScriptedChatModel scripted(ObjectProvider<ObservationRegistry> observations) {
			return new ScriptedChatModel(() -> observations.getIfAvailable(() -> ObservationRegistry.NOOP));
		}

		@Bean("final")
		ChatModel finalModel() {
			return new FinalModel();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Unobserved {

		@Bean
		ScriptedChatModel scripted() {
			return new ScriptedChatModel();
		}

		@Bean("final")
		ChatModel finalModel() {
			return new FinalModel();
		}

	}

	private static final class FinalModel implements ChatModel {

		@Override
		public ChatOptions getOptions() {
			return ToolCallingChatOptions.builder().build();
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			throw new IllegalStateException("The model was asked");
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			throw new IllegalStateException("The model was asked");
		}

	}

}
