package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.micrometer.observation.ObservationRegistry;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallAdvisor;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.DefaultToolCallingManager;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.guard.UnguardedBeansException;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for managers of tool calls, and loops with managers, that the application wrote
 * itself. Nobody knows what a manager of another class than Spring AI's runs, so it is
 * refused.
 */
class OwnManagersTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final String INSTEAD = "let 'ToolCallingManager.builder()' make it, and put what yours does into an aspect "
			+ "around that bean";

	private static final String ROME = "{\"city\": \"Rome\"}";

	private final WeatherTools tools = new WeatherTools();

	private static PreToolHook denying(String word) {
		return (call) -> (call.arguments().toString().contains(word)) ? ToolDecision.deny("Not " + word)
				: ToolDecision.approve();
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

	static Stream<ToolCallingManager> others() {
		ToolCallingManager own = DefaultToolCallingManager.builder().build();
		return Stream.of(new Functions(), new Around(own), new Around(new Around(own)));
	}

	@ParameterizedTest
	@MethodSource("others")
	void managerOfAnotherClassStopsTheStart(ToolCallingManager manager) {
		Application.runner((call) -> ToolDecision.approve())
			.withBean("manager", ToolCallingManager.class, () -> manager)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnguardedBeansException.class)
				.hasMessageContainingAll("bean 'manager'", manager.getClass().getName(), INSTEAD));
	}

	@Test
	void managerOfAnotherClassThatIsMadeLaterCannotBeMade() {
		Application.runner((call) -> ToolDecision.approve())
			.withBean("manager", ToolCallingManager.class, Functions::new, (definition) -> {
				definition.setLazyInit(true);
				definition.setAutowireCandidate(false);
			})
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatExceptionOfType(BeansException.class).isThrownBy(() -> context.getBean("manager"))
					.satisfies((ex) -> assertThat(ex).hasStackTraceContaining(INSTEAD));
			});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void managerOfAnotherClassIsToldWithoutHooks(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(
					HookTypes.with(ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class))
			.withBean("manager", ToolCallingManager.class, Functions::new)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).contains("bean 'manager'", INSTEAD);
			});
	}

	@Test
	void managerOfAnotherClassCannotBeWrapped() {
		Application.run(Application.runner((call) -> ToolDecision.approve()),
				(application) -> assertThatExceptionOfType(UnguardedToolException.class).isThrownBy(
						() -> application.context().getBean(SpringAiToolHooks.class).wrap(new Around(new Functions())))
					.withMessageContainingAll(Around.class.getName(), INSTEAD));
	}

	/**
	 * The tools that such a manager has beside those of the prompt are unknown.
	 */
	@ParameterizedTest
	@EnumSource
	void loopWithAManagerOfAnotherClassIsRefused(Way way) {
		Application.run(Application.runner((call) -> ToolDecision.approve()), (application) -> {
			Functions functions = new Functions();
			application.model().calls("forecast", PARIS);
			assertThatExceptionOfType(UnguardedToolException.class).isThrownBy(() -> way.ask(application.client()
				.prompt("Weather?")
				.advisors(ToolCallingAdvisor.builder().toolCallingManager(functions).build())
				.tools(this.tools))).withMessageContaining(INSTEAD);
			assertThat(functions.seen).isEmpty();
			assertThat(application.model().prompts()).isEmpty();
		});
	}

	static Stream<Arguments> aspects() {
		return Stream.of(Way.values()).flatMap((way) -> Stream.of(true, false).map((late) -> Arguments.of(way, late)));
	}

	/**
	 * What to do instead: the aspect may come before or after the guard.
	 */
	@ParameterizedTest
	@MethodSource("aspects")
	void aspectAroundTheManagerHasEachCallDecidedOnce(Way way, boolean late) {
		List<String> seen = Collections.synchronizedList(new ArrayList<>());
		MethodInterceptor aspect = (invocation) -> {
			seen.add(invocation.getMethod().getName());
			return invocation.proceed();
		};
		UnaryOperator<Object> around = (bean) -> {
			ProxyFactory proxy = new ProxyFactory(bean);
			proxy.addAdvice(aspect);
			return proxy.getProxy();
		};
		BeanPostProcessor after = new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				return (late && beanName.equals("manager")) ? around.apply(bean) : bean;
			}

		};
		ToolCallingManager own = DefaultToolCallingManager.builder().build();
		Application.run(Application.runner(denying("Paris"))
			.withBean("after", BeanPostProcessor.class, () -> after)
			.withBean("manager", ToolCallingManager.class, () -> (late) ? own : (ToolCallingManager) around.apply(own)),
				(application) -> {
					ScriptedChatModel model = application.model();
					model.calls(model.call("weather", PARIS), model.call("weather", ROME));
					ToolCallingManager manager = application.context().getBean("manager", ToolCallingManager.class);
					way.ask(application.client()
						.prompt("Weather?")
						.advisors(ToolCallingAdvisor.builder().toolCallingManager(manager).build())
						.tools(this.tools));
					assertThat(this.tools.cities).containsExactly("Rome");
					assertThat(application.outcomes()).hasSize(2);
					assertThat(seen).contains("executeToolCalls");
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

	record Around(ToolCallingManager manager) implements ToolCallingManager {

		@Override
		public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
			return this.manager.resolveToolDefinitions(chatOptions);
		}

		@Override
		public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
			return this.manager.executeToolCalls(prompt, chatResponse);
		}

	}

}
