package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for limits of runs with AI services inside of tools of AI services, whatever
 * threads the way leads over.
 */
class LimitsOfAgentsTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private final Tools tools = new Tools();

	private static ToolExecutionRequest call(String tool) {
		return ScriptedModel.call(tool, Map.of("text", "x"));
	}

	private Supplier<String> agent(Way way, String session, ToolExecutionRequest... calls) {
		Way.Assistant assistant = way.service(ScriptedModel.inRounds(List.of(calls).stream().map(List::of).toList()))
			.tools(this.tools)
			.build();
		return () -> way.ask(assistant, session, "Look");
	}

	/**
	 * An agent asks three agents that look twice each.
	 */
	private int looked(Way way, String type, String... options) {
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class,
					LangChain4jHooksAutoConfiguration.class, LimitHooksAutoConfiguration.class))
			.withPropertyValues(ENTRY + "type=" + type, ENTRY + "match[0]=weather")
			.withPropertyValues(Stream.of(options).map((option) -> ENTRY + "config." + option).toArray(String[]::new))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				this.tools.agent = () -> agent(way, "inner" + this.tools.asked.incrementAndGet(), call("weather"),
						call("weather"))
					.get();
				String unused = agent(way, "outer", call("ask_agent"), call("ask_agent"), call("ask_agent")).get();
			});
		assertThat(this.tools.asked).hasValue(3);
		return this.tools.looked.get();
	}

	@ParameterizedTest
	@EnumSource
	void perRunIsPerOutermostRun(Way way) {
		assertThat(looked(way, "rate_limit", "limit=3 per run")).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource
	void perAgentRunIsPerAgent(Way way) {
		assertThat(looked(way, "rate_limit", "limit=1 per agent_run")).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource
	void budgetAndLoopAreThoseOfTheOutermostRun(Way way) {
		assertThat(looked(way, "budget", "limit=3", "per=run")).isEqualTo(3);
		this.tools.looked.set(0);
		this.tools.asked.set(0);
		assertThat(looked(way, "loop", "calls.deny=3")).isEqualTo(3);
	}

	static class Tools {

		private final AtomicInteger looked = new AtomicInteger();

		private final AtomicInteger asked = new AtomicInteger();

		private Supplier<String> agent = () -> "";

		@Tool(name = "ask_agent", value = "Asks another agent")
		String askAgent(@P(name = "text", value = "what") String text) {
			return this.agent.get();
		}

		@Tool(name = "weather", value = "Looks up the weather")
		String weather(@P(name = "text", value = "where") String text) {
			this.looked.incrementAndGet();
			return "Sunny";
		}

	}

}
