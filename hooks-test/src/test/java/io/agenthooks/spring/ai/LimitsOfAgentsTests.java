package io.agenthooks.spring.ai;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.CallContext;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.caller.CarriedContext;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for limits of runs with clients inside of tools of clients, whatever threads the
 * way leads over.
 */
class LimitsOfAgentsTests {

	private static final String TOOLS = "hooks.tool_call.pre_call[0].";

	private final Tools tools = new Tools();

	private static ApplicationContextRunner runner(String... properties) {
		return Application.runner()
			.withConfiguration(AutoConfigurations.of(LimitHooksAutoConfiguration.class,
					LlmCallHooksAutoConfiguration.class, SpringAiModelCallsAutoConfiguration.class))
			.withPropertyValues(properties);
	}

	private static ApplicationContextRunner limited(String type, String... options) {
		return runner(TOOLS + "type=" + type, TOOLS + "match[0]=weather")
			.withPropertyValues(Stream.of(options).map((option) -> TOOLS + "config." + option).toArray(String[]::new));
	}

	private String ask(Application application, Way way) {
		ChatClient client = application.client().mutate().defaultTools(this.tools).build();
		return way.ask(client.prompt("Ask")).text();
	}

	/**
	 * Two agents, one after the other, look twice each.
	 */
	private void askTwice(Application application, Way outer, Supplier<String> agent) {
		for (int i = 0; i < 2; i++) {
			application.model()
				.calls("ask_agent", "{}")
				.calls("weather", "{\"city\": \"" + i + "\"}")
				.calls("weather", "{\"city\": \"another " + i + "\"}")
				.says("Sunny");
		}
		application.model().says("Done");
		this.tools.agent = agent;
		String unused = ask(application, outer);
	}

	static Stream<Arguments> ways() {
		return Stream.of(Way.values())
			.flatMap((outer) -> Stream.of(Way.values())
				.flatMap((inner) -> Stream
					.<UnaryOperator<Supplier<String>>>of(UnaryOperator.identity(), (agent) -> () -> elsewhere(agent))
					.map((thread) -> Arguments.of(outer, inner, thread))));
	}

	@ParameterizedTest
	@MethodSource("ways")
	void perRunIsPerOutermostRun(Way outer, Way inner, UnaryOperator<Supplier<String>> thread) {
		Application.run(limited("rate_limit", "limit=3 per run"), (application) -> {
			askTwice(application, outer, thread.apply(() -> ask(application, inner)));
			assertThat(this.tools.looked).hasValue(3);
		});
	}

	@ParameterizedTest
	@MethodSource("ways")
	void perAgentRunIsPerAgent(Way outer, Way inner, UnaryOperator<Supplier<String>> thread) {
		Application.run(limited("rate_limit", "limit=1 per agent_run"), (application) -> {
			askTwice(application, outer, thread.apply(() -> ask(application, inner)));
			assertThat(this.tools.looked).hasValue(2);
		});
	}

	@ParameterizedTest
	@EnumSource
	void budgetPerRunIsThatOfTheOutermostRun(Way way) {
		Application.run(limited("budget", "limit=3", "per=run"), (application) -> {
			askTwice(application, way, () -> ask(application, way));
			assertThat(this.tools.looked).hasValue(3);
		});
	}

	@ParameterizedTest
	@EnumSource
	void loopCountsCallsOfTheOutermostRun(Way way) {
		Application.run(limited("loop", "calls.deny=3"), (application) -> {
			askTwice(application, way, () -> ask(application, way));
			assertThat(this.tools.looked).hasValue(3);
		});
	}

	@Test
	void loopCountsCallsOfAnAgentIfTold() {
		Application.run(limited("loop", "calls.deny=1", "per=agent_run"), (application) -> {
			askTwice(application, Way.CALL, () -> ask(application, Way.CALL));
			assertThat(this.tools.looked).hasValue(2);
		});
	}

	@ParameterizedTest
	@EnumSource
	void budgetOfModelCallsIsThatOfTheOutermostRun(Way way) {
		String entry = "hooks.llm_call.pre_call[0].";
		Application.run(runner(entry + "type=budget", entry + "config.limit=4", entry + "config.per=run"),
				(application) -> {
					askTwice(application, way, () -> ask(application, way));
					assertThat(application.model().prompts()).hasSize(4);
				});
	}

	/**
	 * The next question of the user is a run of its own.
	 */
	@Test
	void nextQuestionIsAnotherRun() {
		Application.run(limited("rate_limit", "limit=3 per run"), (application) -> {
			askTwice(application, Way.CALL, () -> ask(application, Way.CALL));
			askTwice(application, Way.CALL, () -> ask(application, Way.CALL));
			assertThat(this.tools.looked).hasValue(6);
		});
	}

	@ParameterizedTest
	@EnumSource
	void agentOfAnAgentServesTheOutermostRun(Way way) {
		Application.run(limited("rate_limit", "limit=3 per run"), (application) -> {
			application.model()
				.calls("ask_agent", "{}")
				.calls("ask_agent", "{}")
				.calls("weather", "{\"city\": \"1\"}")
				.calls("weather", "{\"city\": \"2\"}")
				.says("Sunny")
				.calls("weather", "{\"city\": \"3\"}")
				.calls("weather", "{\"city\": \"4\"}")
				.says("Sunny")
				.says("Done");
			this.tools.agent = () -> elsewhere(() -> ask(application, way));
			assertThat(ask(application, way)).isEqualTo("Done");
			assertThat(this.tools.looked).hasValue(3);
		});
	}

	/**
	 * By the chain, with a run that it gives itself.
	 */
	@ParameterizedTest
	@EnumSource
	void ownLoopInsideOfAToolServesTheOutermostRun(Way way) {
		Application.run(limited("rate_limit", "limit=3 per run"), (application) -> {
			ToolHookChain chain = application.context().getBean(ToolHookChain.class);
			AtomicInteger run = new AtomicInteger();
			askTwice(application, way, () -> {
				CallContext context = CallContext.empty().withRunId("own" + run.incrementAndGet());
				for (int i = 0; i < 2; i++) {
					ToolResult unused = chain.execute(ToolCall.of("weather", Map.of("city", "x"), context),
							(call) -> ToolResult.success(this.tools.weather("x")));
				}
				return ask(application, way);
			});
			assertThat(this.tools.looked).hasValue(3);
		});
	}

	/**
	 * On a thread of its own: the common pool of two processors has one, and agents of
	 * agents wait for each other.
	 */
	private static String elsewhere(Supplier<String> work) {
		Callable<String> carried = CarriedContext.carry(work);
		return CompletableFuture.supplyAsync(() -> {
			try {
				return carried.call();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}, (task) -> new Thread(task).start()).orTimeout(1, TimeUnit.MINUTES).join();
	}

	static class Tools {

		private final AtomicInteger looked = new AtomicInteger();

		private Supplier<String> agent = () -> "";

		@Tool(name = "ask_agent", description = "Asks another agent")
		String askAgent() {
			return this.agent.get();
		}

		@Tool(name = "weather", description = "Looks up the weather")
		String weather(String city) {
			this.looked.incrementAndGet();
			return "Sunny in " + city;
		}

	}

}
