package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.Verdict;
import io.agenthooks.spring.Explanation;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.actuator.HooksEndpointsAutoConfiguration;
import io.agenthooks.spring.actuator.JournalAutoConfiguration;
import io.agenthooks.spring.actuator.ToolHooksEndpoint;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what explain and the endpoint {@code toolhooks} know of tools that a model is
 * offered, and of names that it invents.
 */
class OfferedToolsAtTheActuatorTests {

	private final WeatherTools tools = new WeatherTools();

	private static ApplicationContextRunner runner() {
		return Application.runner(new Approving())
			.withConfiguration(HookTypes.with(JournalAutoConfiguration.class, HooksEndpointsAutoConfiguration.class,
					EndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.jmx.exposure.include=*", "spring.jmx.enabled=true");
	}

	private static Explanation explain(Application application, Map<String, Object> arguments) {
		return application.context().getBean(ToolHooks.class).explain(ToolCall.of("weather", Map.copyOf(arguments)));
	}

	@ParameterizedTest
	@EnumSource
	void explainChecksTheSchemaOfAToolOfAnObjectOnceItWasOffered(Way way) {
		Application.run(runner(), (application) -> {
			assertThat(explain(application, Map.of()).isComplete()).isFalse();
			way.ask(application.client().prompt("hi").tools(this.tools));
			Explanation missing = explain(application, Map.of());
			assertThat(missing.verdict()).isEqualTo(Verdict.DENY);
			assertThat(missing.decidedBy()).isEqualTo("arguments");
			assertThat(missing.isComplete()).isTrue();
			assertThat(explain(application, Map.of("city", "Paris")).verdict()).isEqualTo(Verdict.APPROVE);
			application.model().calls("weather", "{}");
			way.ask(application.client().prompt("again").tools(this.tools));
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.outcome().decision().reason()).isEqualTo(missing.reason());
		});
	}

	@Test
	void explainSaysThatTheSchemaIsNotCheckedIfTwoToolsHaveTheName() {
		Application.run(runner(), (application) -> {
			Way.CALL.ask(application.client().prompt("hi").tools(this.tools));
			Way.CALL.ask(application.client().prompt("hi").tools(new OtherWeather()));
			Explanation explanation = explain(application, Map.of());
			assertThat(explanation.verdict()).isEqualTo(Verdict.APPROVE);
			assertThat(explanation.isComplete()).isFalse();
			assertThat(explanation.hooks()).extracting(Explanation.Answer::name).contains("arguments");
		});
	}

	private static void inventsAName(ApplicationContextRunner runner, WeatherTools tools,
			Consumer<List<String>> listed) {
		Application.run(runner, (application) -> {
			application.model().calls("weather", "{\"city\": \"Paris\"}").calls("wether", "{}");
			Way.CALL.ask(application.client().prompt("hi").tools(tools));
			Map<String, ?> body = Objects
				.requireNonNull(application.context().getBean(ToolHooksEndpoint.class).hooks().getBody());
			listed.accept(((List<?>) Objects.requireNonNull(body.get("tools"))).stream()
				.map((tool) -> String.valueOf(((Map<?, ?>) tool).get("name")))
				.toList());
			assertThat(application.model().replies()).singleElement().asString().contains(UnknownTool.REASON);
		});
	}

	@Test
	void nameThatTheModelInventsIsNoTool() {
		inventsAName(runner(), this.tools, (listed) -> assertThat(listed).contains("weather").doesNotContain("wether"));
	}

	@Test
	void ruleAboutAnArgumentIsListedAtToolsThatHaveIt() {
		Application.run(
				runner().withBean(WeatherTools.class)
					.withBean(Shell.class)
					.withPropertyValues("hooks.tool_call.pre_call[0].type=policy",
							"hooks.tool_call.pre_call[0].config.deny_argument_patterns.city[0]=^Atlantis$",
							"hooks.tool_call.pre_call[0].config.deny_argument_patterns.command[0]=sudo"),
				(application) -> {
					Map<String, ?> body = Objects.requireNonNull(
							application.context().getBean(ToolHooksEndpoint.class).tool("weather").getBody());
					Map<?, ?> tool = (Map<?, ?>) ((List<?>) Objects.requireNonNull(body.get("tools"))).get(0);
					List<String> rules = ((List<?>) Objects.requireNonNull(tool.get("rules"))).stream()
						.map((rule) -> String.valueOf(((Map<?, ?>) rule).get("rule")))
						.toList();
					assertThat(rules).contains("deny_argument_patterns.city")
						.doesNotContain("deny_argument_patterns.command");
					assertThat(((Map<?, ?>) Objects.requireNonNull(tool.get("schema"))).get("properties")).asString()
						.contains("city");
				});
	}

	private static final class Approving implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

		@Override
		public boolean isExplainable() {
			return true;
		}

	}

	static final class Shell {

		@Tool(description = "Run a command")
		String run(String command) {
			return "done";
		}

	}

	static final class OtherWeather {

		@Tool(description = "Weather of everywhere")
		String weather() {
			return "sunny";
		}

	}

}
