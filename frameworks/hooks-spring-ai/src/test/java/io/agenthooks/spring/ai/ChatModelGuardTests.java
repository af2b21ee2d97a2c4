package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.Model;
import org.springframework.ai.model.StreamingModel;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import reactor.core.publisher.Flux;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.SharedContexts;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ChatModelGuard}: each question to a model that is a bean is decided,
 * once, whoever asks and by whatever method.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChatModelGuardTests {

	@RegisterExtension
	final SharedContexts contexts = new SharedContexts();

	private final List<LlmCall> asked = Collections.synchronizedList(new ArrayList<>());

	private final ApplicationContextRunner oneModel = Application.runner()
		.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
				SpringAiModelCallsAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.oneModel.withUserConfiguration(Models.class);

	@BeforeEach
	void forget() {
		this.asked.clear();
		Models.model.forget();
	}

	private void run(String key, ApplicationContextRunner runner, Consumer<Application> test) {
		test.accept(Application.shared(this.contexts, key, () -> runner));
	}

	private void deciding(LlmDecision decision, Consumer<Application> test) {
		run("deciding " + decision, this.runner.withBean("beforeModel", PreLlmHook.class, () -> (call) -> {
			this.asked.add(call);
			return decision;
		}), test);
	}

	/**
	 * The methods of a model.
	 */
	enum Method {

		CALL_PROMPT((model, text) -> text(model.call(new Prompt(text)))),

		CALL_TEXT(ChatModel::call),

		CALL_MESSAGES((model, text) -> model.call(new UserMessage(text))),

		CALL_GENERIC((model, text) -> text(generic(model).call(new Prompt(text)))),

		STREAM_PROMPT((model, text) -> text(model.stream(new Prompt(text)).blockLast())),

		STREAM_TEXT((model, text) -> model.stream(text).blockLast()),

		STREAM_MESSAGES((model, text) -> model.stream(new UserMessage(text)).blockLast()),

		STREAM_GENERIC((model, text) -> text(genericStream(model).stream(new Prompt(text)).blockLast()));

		@SuppressWarnings("ImmutableEnumChecker")
		private final BiFunction<ChatModel, String, @Nullable String> way;

		Method(BiFunction<ChatModel, String, @Nullable String> way) {
			this.way = way;
		}

		private static Model<Prompt, ChatResponse> generic(ChatModel model) {
			return model;
		}

		private static StreamingModel<Prompt, ChatResponse> genericStream(ChatModel model) {
			return model;
		}

		private static @Nullable String text(@Nullable ChatResponse response) {
			return Objects.requireNonNull(Objects.requireNonNull(response).getResult()).getOutput().getText();
		}

	}

	static Stream<Arguments> beansAndMethods() {
		return Stream.of("scriptedChatModel", "final", "lambda", "lazy", "prototype", "scoped", "factory", "around")
			.flatMap((bean) -> Stream.of(Method.values())
				.filter((method) -> !(bean.equals("lambda") && method.name().startsWith("STREAM")))
				.map((method) -> Arguments.of(bean, method)));
	}

	@ParameterizedTest
	@MethodSource("beansAndMethods")
	void questionIsDecidedOnceAndAnswered(String bean, Method method) {
		deciding(LlmDecision.approve(), (application) -> {
			Models.model.says("Sunny");
			application.model().says("Sunny");
			assertThat(method.way.apply(application.context().getBean(bean, ChatModel.class), "Weather?"))
				.isEqualTo("Sunny");
			assertThat(this.asked).singleElement().satisfies((call) -> {
				assertThat(call.messages()).singleElement().extracting("text").isEqualTo("Weather?");
				assertThat(call.context().runId()).isNotNull();
			});
		});
	}

	@ParameterizedTest
	@MethodSource("beansAndMethods")
	void modelIsNotAskedWhatIsDenied(String bean, Method method) {
		deciding(LlmDecision.deny("No weather"), (application) -> {
			assertThat(method.way.apply(application.context().getBean(bean, ChatModel.class), "Weather?"))
				.contains("This is not allowed.")
				.doesNotContain("No weather");
			assertThat(application.model().prompts()).isEmpty();
			assertThat(Models.model.prompts()).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void modelIsAskedWhatHooksLeft(Method method) {
		ApplicationContextRunner changing = this.runner.withPropertyValues("hooks.llm_call.pre_call[0].type=redact");
		run("redacting", changing, (application) -> {
			assertThat(method.way.apply(application.model(), "Write to jane.doe@example.com")).isEqualTo("done");
			assertThat(application.model().prompts()).singleElement()
				.extracting((prompt) -> prompt.getUserMessage().getText())
				.asString()
				.doesNotContain("jane.doe");
		});
	}

	@ParameterizedTest
	@EnumSource
	void answerIsWhatHooksLeft(Method method) {
		ApplicationContextRunner changing = this.runner.withBean(LlmResponseHook.class, () -> (call,
				response) -> LlmDecision.respond(response.withText(response.text().replace("Sunny", "Rain"))));
		run("replacing", changing, (application) -> {
			application.model().says("Sunny");
			assertThat(method.way.apply(application.model(), "Weather?")).isEqualTo("Rain");
		});
	}

	private void answeringAtOnce(Consumer<ChatModel> test) {
		Application.run(this.oneModel.withBean("atOnce", ChatModel.class, AnsweringAtOnce::new)
			.withBean("beforeModel", PreLlmHook.class, () -> (call) -> {
				this.asked.add(call);
				return LlmDecision.approve();
			}), (application) -> test.accept(application.context().getBean("atOnce", ChatModel.class)));
	}

	@Test
	void questionThatIsAskedAgainWhereItsAnswerArrivesIsDecidedAgain() {
		Prompt prompt = new Prompt("Weather?");
		answeringAtOnce((model) -> {
			assertThat(model.stream(prompt)
				.concatMap((first) -> model.stream(prompt))
				.map((second) -> model.call(prompt))
				.blockLast()).isNotNull();
			assertThat(this.asked).hasSize(3);
		});
	}

	@Test
	void questionThatIsTriedAgainIsDecidedAgain() {
		Prompt prompt = new Prompt("Weather?");
		answeringAtOnce((model) -> {
			assertThat(Flux.defer(() -> model.stream(prompt)).map((response) -> {
				if (this.asked.size() < 3) {
					throw new IllegalStateException("Once more");
				}
				return response;
			}).retry(5).blockLast()).isNotNull();
			assertThat(this.asked).hasSize(3);
		});
	}

	@ParameterizedTest
	@EnumSource
	void abortedRunIsAnExceptionAndOverWithItsQuestion(Method method) {
		deciding(LlmDecision.abortRun("Stop"), (application) -> {
			assertThatExceptionOfType(LlmCallAbortedException.class)
				.isThrownBy(() -> method.way.apply(application.model(), "Weather?"));
			assertThat(application.context().getBean(AbortedRuns.class).isEmpty()).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource
	void abortedTurnIsNoReasonForAPerson(Method method) {
		deciding(LlmDecision.abortTurn("Stop"), (application) -> {
			assertThat(method.way.apply(application.model(), "Weather?")).isEqualTo("This is not allowed.");
			assertThat(application.model().prompts()).isEmpty();
		});
	}

	@Test
	void streamThatIsAskedTwiceIsDecidedTwice() {
		deciding(LlmDecision.approve(), (application) -> {
			Flux<ChatResponse> stream = application.model().stream(new Prompt("Weather?"));
			stream.blockLast();
			stream.blockLast();
			assertThat(this.asked).hasSize(2);
			assertThat(application.model().prompts()).hasSize(2);
		});
	}

	@Test
	void modelThatAsksAnotherQuestionHasThatDecidedToo() {
		deciding(LlmDecision.approve(), (application) -> {
			application.context().getBean("translating", ChatModel.class).call("Weather?");
			assertThat(this.asked).extracting((call) -> call.messages().get(0).text())
				.containsExactly("Weather?", "Wetter?");
		});
	}

	@ParameterizedTest
	@EnumSource
	void formatThatAClientAddsIsNoOtherQuestion(Way way) {
		ApplicationContextRunner deciding = this.oneModel.withBean("beforeModel", PreLlmHook.class, () -> (call) -> {
			this.asked.add(call);
			return LlmDecision.approve();
		});
		run("one model", deciding, (application) -> {
			application.model().says("{\"city\": \"Paris\"}");
			assertThat(application.client().prompt("Where?").call().entity(City.class)).isEqualTo(new City("Paris"));
			way.ask(application.client().prompt("Where?"));
			assertThat(this.asked).hasSize(2);
		});
	}

	@Test
	void optionsOfTheModelAreThoseOfAPromptWithoutAny() {
		deciding(LlmDecision.approve(), (application) -> {
			application.context().getBean("final", ChatModel.class).call(new Prompt("Weather?"));
			assertThat(this.asked).singleElement().extracting(LlmCall::model).isEqualTo("final-1");
		});
	}

	@Test
	void beanKeepsItsClassUnlessThatIsFinal() {
		deciding(LlmDecision.approve(), (application) -> {
			assertThat(application.context().getBean("scriptedChatModel")).isInstanceOf(ScriptedChatModel.class);
			assertThat(application.context().getBean("final")).isNotInstanceOf(FinalModel.class);
			assertThat(ChatModelGuard.isGuarded(application.context().getBean("final"))).isTrue();
		});
	}

	@Test
	void modelsStayWhatTheyAreIfThereAreNoHooks() {
		Application.run(this.runner, (application) -> {
			assertThat(application.context().getBean("final")).isInstanceOf(FinalModel.class);
			assertThat(ChatModelGuard.isGuarded(application.model())).isFalse();
		});
	}

	@Test
	void finalModelsStayWhatTheyAreIfTheStarterOnlyCountsTheirCalls() {
		Application.run(this.runner.withConfiguration(AutoConfigurations.of(LlmAndRunMetricsAutoConfiguration.class)),
				(application) -> {
					assertThat(application.context().getBean("final")).isInstanceOf(FinalModel.class);
					assertThat(ChatModelGuard.isGuarded(application.model())).isTrue();
				});
	}

	@ParameterizedTest
	@EnumSource
	void hookThatAsksAModelIsNotAskedAboutThat(Method method) {
		ApplicationContextRunner judged = this.runner.withUserConfiguration(Judges.class)
			.withPropertyValues("hooks.llm_call.pre_call[0].type=bean", "hooks.llm_call.pre_call[0].config.bean=judge",
					"hooks.llm_call.pre_call[0].timeout=20s");
		run("judged", judged, (application) -> {
			application.model().says("yes").says("Sunny");
			assertThat(method.way.apply(application.model(), "Weather?")).isEqualTo("Sunny");
			assertThat(application.model().prompts()).hasSize(2);
		});
	}

	@Test
	void hookThatAsksAFailingModelOfItsFailureIsNoCircle() {
		ApplicationContextRunner failing = this.runner.withUserConfiguration(Mourners.class);
		Application.run(failing, (application) -> {
			ChatModel broken = application.context().getBean("broken", ChatModel.class);
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> broken.call("Weather?"));
			assertThat(Mourners.heard).hasSize(1);
		});
	}

	/**
	 * What a client is asked for.
	 */
	record City(String city) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Models {

		static final ScriptedChatModel model = new ScriptedChatModel();

		@Bean("final")
		FinalModel finalModel() {
			return new FinalModel();
		}

		@Bean
		ChatModel lambda() {
			return (prompt) -> model.call(prompt);
		}

		@Bean
		@Lazy
		ChatModel lazy() {
			return new FinalModel();
		}

		@Bean
		@Scope("prototype")
		ChatModel prototype() {
			return new FinalModel();
		}

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
		ChatModel scoped() {
			return new FinalModel();
		}

		@Bean
		FactoryBean<ChatModel> factory() {
			return new OwnClientsTests.Factory<>(ChatModel.class, FinalModel::new);
		}

		@Bean
		ChatModel around(ScriptedChatModel scriptedChatModel) {
			return new AroundModel(scriptedChatModel, (prompt) -> prompt);
		}

		@Bean
		ChatModel translating(ScriptedChatModel scriptedChatModel) {
			return new AroundModel(scriptedChatModel, (prompt) -> new Prompt("Wetter?", prompt.getOptions()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Judges {

		@Bean
		PreLlmHook judge(ScriptedChatModel scriptedChatModel) {
			return (call) -> ("yes".equals(scriptedChatModel.call("May it?"))) ? LlmDecision.approve()
					: LlmDecision.deny("No");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mourners {

		static final List<String> heard = Collections.synchronizedList(new ArrayList<>());

		@Bean
		ChatModel broken() {
			return (prompt) -> {
				throw new IllegalStateException("No network");
			};
		}

		@Bean
		PostLlmHook mourner(ApplicationContext context) {
			heard.clear();
			return (outcome) -> {
				heard.add(outcome.status().toString());
				context.getBean("broken", ChatModel.class).call("Why?");
			};
		}

	}

	static class AroundModel implements ChatModel {

		private final ChatModel model;

		private final UnaryOperator<Prompt> change;

		AroundModel(ChatModel model, UnaryOperator<Prompt> change) {
			this.model = model;
			this.change = change;
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			return this.model.call(this.change.apply(prompt));
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			return this.model.stream(this.change.apply(prompt));
		}

	}

	static final class FinalModel implements ChatModel {

		@Override
		public ChatOptions getOptions() {
			return ToolCallingChatOptions.builder().model("final-1").build();
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			return Models.model.call(prompt);
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			return Models.model.stream(prompt);
		}

	}

	/**
	 * A model that answers on the thread that asks.
	 */
	static class AnsweringAtOnce implements ChatModel {

		@Override
		public ChatResponse call(Prompt prompt) {
			return new ChatResponse(List.of(new Generation(new AssistantMessage("Sunny"))));
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			return Flux.just(call(prompt));
		}

	}

}
