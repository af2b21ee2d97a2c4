package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallAdvisor;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.DefaultToolCallingManager;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

import io.agenthooks.CallAttributes;
import io.agenthooks.RefusalText;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for managers of tool calls that the application wrote itself. Nobody knows what
 * they run, so each call is decided before they see it, and once.
 */
class OwnManagersTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final String ROME = "{\"city\": \"Rome\"}";

	private final WeatherTools tools = new WeatherTools();

	private final Functions functions = new Functions();

	private static ApplicationContextRunner runner(PreToolHook hook, ToolCallingManager manager) {
		return Application.runner(hook).withBean("manager", ToolCallingManager.class, () -> manager);
	}

	private static PreToolHook denying(String word) {
		return (call) -> (call.arguments().toString().contains(word)) ? ToolDecision.deny("Not " + word)
				: ToolDecision.approve();
	}

	@ParameterizedTest
	@EnumSource
	void functionsOfAManagerAreDecidedBeforeItSeesTheCalls(Way way) {
		Application.run(runner(denying("Paris"), this.functions), (application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("forecast", PARIS), model.call("forecast", ROME), model.call("forecast", PARIS));
			way.ask(application.client().prompt("Weather?").tools(this.tools));
			assertThat(this.functions.seen).containsExactly("forecast" + ROME);
			assertThat(model.replies()).hasSize(3).element(1).isEqualTo("forecast of " + ROME);
			assertThat(model.replies()).element(0).asString().contains("denied by hook 'hook'");
			assertThat(model.replies()).element(2).asString().contains("denied by hook 'hook'");
			assertThat(application.outcomes())
				.extracting(
						(outcome) -> outcome.requested().context().attributes().get(CallAttributes.PROVIDER_CALL_ID))
				.containsExactly("call-1", "call-2", "call-3");
		});
	}

	@ParameterizedTest
	@EnumSource
	void functionsRunWithWhatHooksLeftAndAnswerWhatHooksLeave(Way way) {
		PreToolHook rome = (call) -> ToolDecision.modify(Map.of("city", "Rome"));
		ApplicationContextRunner runner = runner(rome, this.functions).withBean(ToolResultHook.class,
				() -> ToolResultHook
					.replacing((call, result) -> ToolResult.success(result.content().toUpperCase(Locale.ROOT))));
		Application.run(runner, (application) -> {
			application.model().calls("forecast", PARIS);
			way.ask(application.client().prompt("Weather?").tools(this.tools));
			assertThat(this.functions.seen).containsExactly("forecast{\"city\":\"Rome\"}");
			assertThat(application.model().replies()).containsExactly("FORECAST OF {\"CITY\":\"ROME\"}");
		});
	}

	@ParameterizedTest
	@EnumSource
	void abortedTurnEndsBeforeTheNextCall(Way way) {
		PreToolHook hook = (call) -> (call.arguments().containsValue("Paris")) ? ToolDecision.abortTurn("Enough")
				: ToolDecision.approve();
		Application.run(runner(hook, this.functions), (application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("forecast", ROME), model.call("forecast", PARIS), model.call("forecast", ROME));
			Way.Answer answer = way.ask(application.client().prompt("Weather?").tools(this.tools));
			assertThat(answer.text()).isEqualTo(RefusalText.DEFAULT);
			assertThat(answer.finishReason()).isEqualTo(AgentHooks.FINISH_REASON);
			assertThat(this.functions.seen).containsExactly("forecast" + ROME);
		});
	}

	@ParameterizedTest
	@EnumSource
	void argumentsThatAreNoJsonNeverReachAFunction(Way way) {
		Application.run(runner((call) -> ToolDecision.approve(), this.functions), (application) -> {
			application.model().calls("forecast", "{\"city\": \"Paris\", \"city\": \"Rome\"}");
			way.ask(application.client().prompt("Weather?").tools(this.tools));
			assertThat(this.functions.seen).isEmpty();
			assertThat(application.outcome().decidedBy()).isEqualTo("arguments");
		});
	}

	@ParameterizedTest
	@EnumSource
	@SuppressWarnings("removal")
	void toolThatOnlyTheManagerOfASpringAiLoopFindsIsUnknown(Way way) {
		ToolCallback hidden = new WeatherTools().callback();
		ToolCallingManager own = DefaultToolCallingManager.builder()
			.toolCallbackResolver((name) -> (name.equals("hidden")) ? hidden : null)
			.resolutionFallbackEnabled(true)
			.build();
		for (ToolCallingAdvisor loop : List.of(ToolCallingAdvisor.builder().toolCallingManager(own).build(),
				ToolCallAdvisor.builder().toolCallingManager(own).build())) {
			Application.run(Application.runner((call) -> ToolDecision.approve()), (application) -> {
				application.model().calls("hidden", PARIS);
				way.ask(application.client().prompt("Weather?").tools(this.tools).advisors(loop));
				assertThat(application.outcome().decidedBy()).isEqualTo("unknown-tool");
				assertThat(application.model().replies()).singleElement().asString().contains("no tool of this name");
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void managerThatLeadsToSpringAisOwnHasEachCallDecidedOnce(Way way) {
		ToolCallingManager own = DefaultToolCallingManager.builder().build();
		for (UnaryOperator<ApplicationContextRunner> application : List.<UnaryOperator<ApplicationContextRunner>>of(
				(runner) -> runner.withBean("manager", ToolCallingManager.class,
						() -> new Around(own, (result) -> result)),
				(runner) -> runner.withUserConfiguration(AroundAGuardedOne.class),
				(runner) -> runner.withBean("manager", ToolCallingManager.class, () -> new OnAnotherThread(own)))) {
			checkEachCallIsDecidedOnce(way, application.apply(Application.runner(denying("Paris"))));
		}
	}

	private void checkEachCallIsDecidedOnce(Way way, ApplicationContextRunner runner) {
		this.tools.cities.clear();
		Application.run(runner, (application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", PARIS), model.call("weather", ROME), model.call("nothing", ROME));
			way.ask(application.client().prompt("Weather?").tools(this.tools));
			assertThat(this.tools.cities).containsExactly("Rome");
			assertThat(application.outcomes().stream().filter(OwnManagersTests::isWeather)).hasSize(2);
			assertThat(application.outcomes()).hasSize(3);
			assertThat(model.replies()).hasSize(3).element(1).isEqualTo("\"sunny in Rome\"");
			assertThat(model.replies()).element(2).isEqualTo(UnknownTool.REASON);
		});
	}

	private static boolean isWeather(ToolOutcome outcome) {
		return outcome.requested().tool().equals("weather");
	}

	@ParameterizedTest
	@EnumSource
	void toolThatReturnsDirectlyDoes(Way way) {
		ToolCallingManager manager = new Around(DefaultToolCallingManager.builder().build(), (result) -> result);
		Application.run(runner((call) -> ToolDecision.approve(), manager), (application) -> {
			application.model().calls("report", PARIS);
			assertThat(way.ask(application.client().prompt("Weather?").tools(this.tools)).text())
				.isEqualTo("\"Report for Paris\"");
			assertThat(application.model().prompts()).hasSize(1);
		});
	}

	@Test
	void managerCannotCallATwiceWhatWasDecidedOnce() {
		ToolCallingManager twice = new Around(DefaultToolCallingManager.builder().build(), (result) -> result) {

			@Override
			public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
				super.executeToolCalls(prompt, chatResponse);
				return super.executeToolCalls(prompt, chatResponse);
			}

		};
		List<String> asked = Collections.synchronizedList(new ArrayList<>());
		PreToolHook once = (call) -> {
			asked.add(call.tool());
			return (asked.size() > 1) ? ToolDecision.deny("Once is enough") : ToolDecision.approve();
		};
		Application.run(runner(once, twice), (application) -> {
			application.model().calls("weather", PARIS);
			application.client().prompt("Weather?").tools(this.tools).call().content();
			assertThat(this.tools.cities).containsExactly("Paris");
			assertThat(asked).hasSize(2);
		});
	}

	@Test
	void managerThatGivesNoReplyIsAFailure() {
		ToolCallingManager silent = new Around(this.functions,
				(result) -> ToolExecutionResult.builder().conversationHistory(List.of()).build());
		Application.run(runner((call) -> ToolDecision.approve(), silent), (application) -> {
			application.model().calls("forecast", PARIS);
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> application.client().prompt("Weather?").tools(this.tools).call().content())
				.withMessageContaining("gave no reply");
		});
	}

	@Test
	void toolsOfACallThatOnlyTheManagerReadsAreHooked() {
		ToolCallingManager reader = new Around(this.functions, (result) -> result) {

			@Override
			public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
				offered(prompt).get(0).call(PARIS);
				return ToolExecutionResult.builder().conversationHistory(prompt.getInstructions()).build();
			}

		};
		Application.run(runner(denying("Paris"), reader), (application) -> {
			application.context()
				.getBean(ToolCallingManager.class)
				.executeToolCalls(promptOf(this.tools.callback()),
						new ChatResponse(List.of(new Generation(new AssistantMessage("CALL weather")))));
			assertThat(this.tools.cities).isEmpty();
		});
	}

	@Test
	void secondToolOfANameIsAnotherCall() {
		WeatherTools others = new WeatherTools();
		ToolCallingManager both = new Around(this.functions, (result) -> result) {

			@Override
			public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
				offered(prompt).forEach((tool) -> tool.call(PARIS));
				return super.executeToolCalls(prompt, chatResponse);
			}

		};
		List<String> asked = Collections.synchronizedList(new ArrayList<>());
		PreToolHook once = (call) -> {
			asked.add(call.tool());
			return (asked.size() > 1) ? ToolDecision.deny("Once is enough") : ToolDecision.approve();
		};
		Application.run(runner(once, both), (application) -> {
			AssistantMessage message = AssistantMessage.builder()
				.content("")
				.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", "weather", PARIS)))
				.build();
			application.context()
				.getBean(ToolCallingManager.class)
				.executeToolCalls(promptOf(this.tools.callback(), others.callback()),
						new ChatResponse(List.of(new Generation(message))));
			assertThat(this.tools.cities).containsExactly("Paris");
			assertThat(others.cities).isEmpty();
			assertThat(asked).hasSize(2);
		});
	}

	@ParameterizedTest
	@EnumSource
	void callerIsKnownToAManagerThatIsCalledOnAnotherThread(Way way) {
		List<String> users = Collections.synchronizedList(new ArrayList<>());
		PreToolHook hook = (call) -> {
			users.add(String.valueOf(call.context().user()));
			return ToolDecision.approve();
		};
		Application.run(runner(hook, this.functions), (application) -> {
			application.model().calls("weather", PARIS);
			Loop loop = new Loop(new OnAnotherThread(application.context().getBean(ToolCallingManager.class)),
					ToolCallingAdvisor.DEFAULT_ORDER);
			way.ask(application.client()
				.prompt("Weather?")
				.advisors((advisors) -> advisors.advisors(loop).param(AgentHooks.USER, "ada"))
				.tools(this.tools));
			assertThat(users).containsExactly("ada");
		});
	}

	/**
	 * Nobody guards the manager of a class of its own, so the tools have to be.
	 */
	@ParameterizedTest
	@EnumSource
	void toolsOfALoopBeforeAllOthersAreHooked(Way way) {
		Application.run(Application.runner(denying("Paris")), (application) -> {
			application.model().calls("weather", PARIS);
			Loop loop = new Loop(DefaultToolCallingManager.builder().build(), Ordered.HIGHEST_PRECEDENCE);
			way.ask(application.client().prompt("Weather?").advisors(loop).tools(this.tools));
			assertThat(this.tools.cities).isEmpty();
		});
	}

	/**
	 * Nobody is asked before such a loop, so it must not get as far as the model.
	 */
	@ParameterizedTest
	@EnumSource
	void loopBeforeAllOfOursIsRefused(Way way) {
		Application.run(Application.runner(denying("Paris")), (application) -> {
			application.model().calls("weather", PARIS);
			assertThatExceptionOfType(UnguardedToolException.class)
				.isThrownBy(() -> way.ask(application.client()
					.prompt("Weather?")
					.advisors(new FirstLoop(DefaultToolCallingManager.builder().build()))
					.tools(this.tools)))
				.withMessageContainingAll("highest precedence", "HIGHEST_PRECEDENCE + 1", "SpringAiToolHooks");
			assertThat(this.tools.cities).isEmpty();
			assertThat(application.model().prompts()).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void loopBeforeAllOfOursMayCallWhatIsHooked(Way way) {
		Application.run(Application.runner(denying("Paris")), (application) -> {
			SpringAiToolHooks hooks = application.context().getBean(SpringAiToolHooks.class);
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", PARIS), model.call("weather", ROME));
			way.ask(application.client()
				.prompt("Weather?")
				.advisors(new FirstLoop(DefaultToolCallingManager.builder().build()))
				.tools(hooks.wrap(this.tools.callback())));
			assertThat(this.tools.cities).containsExactly("Rome");
		});
	}

	@ParameterizedTest
	@EnumSource
	void clientWithAnAdvisorOfRunsOfItsOwnIsGuarded(Way way) {
		ScriptedChatModel model = new ScriptedChatModel(ObservationRegistry::create);
		ApplicationContextRunner runner = Application.runner(denying("Paris"))
			.withBean("own", ChatClient.class,
					() -> ChatClient.builder(model).defaultAdvisors(new ClientRunAdvisor()).build());
		runner.run((context) -> {
			model.calls("weather", PARIS);
			Loop loop = new Loop(DefaultToolCallingManager.builder().build(), Ordered.HIGHEST_PRECEDENCE);
			way.ask(context.getBean("own", ChatClient.class).prompt("Weather?").advisors(loop).tools(this.tools));
			assertThat(this.tools.cities).isEmpty();
		});
	}

	private static Prompt promptOf(ToolCallback... tools) {
		return new Prompt(List.of(new UserMessage("Weather?")),
				ToolCallingChatOptions.builder().toolCallbacks(List.of(tools)).build());
	}

	private static List<ToolCallback> offered(Prompt prompt) {
		return (prompt.getOptions() instanceof ToolCallingChatOptions options && options.getToolCallbacks() != null)
				? options.getToolCallbacks() : List.of();
	}

	/**
	 * Calls tools before every other advisor.
	 */
	private static final class FirstLoop extends ToolCallingAdvisor implements PriorityOrdered {

		FirstLoop(ToolCallingManager manager) {
			super(manager, (response) -> response != null && response.hasToolCalls(), DEFAULT_ORDER, true);
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

	/**
	 * Calls tools at any place among the advisors.
	 */
	private static final class Loop extends ToolCallingAdvisor {

		private final int order;

		Loop(ToolCallingManager manager, int order) {
			super(manager, (response) -> response != null && response.hasToolCalls(), DEFAULT_ORDER, true);
			this.order = order;
		}

		@Override
		public int getOrder() {
			return this.order;
		}

	}

	/**
	 * Runs functions that nobody else knows.
	 */
	static class Functions implements ToolCallingManager {

		final List<String> seen = Collections.synchronizedList(new ArrayList<>());

		@Override
		public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
			return List.of();
		}

		@Override
		public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
			AssistantMessage message = chatResponse.getResults().get(0).getOutput();
			List<ToolResponse> replies = message.getToolCalls().stream().map((call) -> {
				this.seen.add(call.name() + call.arguments());
				return new ToolResponse(call.id(), call.name(), call.name() + " of " + call.arguments());
			}).toList();
			List<Message> history = new ArrayList<>(prompt.getInstructions());
			history.add(message);
			history.add(ToolResponseMessage.builder().responses(replies).build());
			return ToolExecutionResult.builder().conversationHistory(history).build();
		}

	}

	static class Around implements ToolCallingManager {

		private final ToolCallingManager manager;

		private final UnaryOperator<ToolExecutionResult> change;

		Around(ToolCallingManager manager, UnaryOperator<ToolExecutionResult> change) {
			this.manager = manager;
			this.change = change;
		}

		@Override
		public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
			return this.manager.resolveToolDefinitions(chatOptions);
		}

		@Override
		public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
			return this.change.apply(this.manager.executeToolCalls(prompt, chatResponse));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AroundAGuardedOne {

		@Bean
		ToolCallingManager manager(SpringAiToolHooks hooks) {
			return new Around(hooks.wrap(DefaultToolCallingManager.builder().build()), (result) -> result);
		}

	}

	static final class OnAnotherThread extends Around {

		OnAnotherThread(ToolCallingManager manager) {
			super(manager, (result) -> result);
		}

		@Override
		public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
			return CompletableFuture.supplyAsync(() -> super.executeToolCalls(prompt, chatResponse))
				.orTimeout(1, TimeUnit.MINUTES)
				.join();
		}

	}

}
