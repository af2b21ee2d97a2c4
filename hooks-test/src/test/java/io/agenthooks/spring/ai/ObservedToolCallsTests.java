package io.agenthooks.spring.ai;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.HookRule;
import io.agenthooks.spring.observation.HooksObservationAutoConfiguration;
import io.agenthooks.spring.observation.RecordedObservations;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the traces of an application with Spring AI show of tool calls.
 */
class ObservedToolCallsTests {

	private final RecordedObservations observed = new RecordedObservations();

	private final WeatherTools tools = new WeatherTools();

	private ApplicationContextRunner runner(PreToolHook hook) {
		return Application.runner(hook)
			.withConfiguration(AutoConfigurations.of(HooksObservationAutoConfiguration.class))
			.withBean(RecordedObservations.class, () -> this.observed);
	}

	private void ask(Way way, Application application) {
		Way.Answer unused = way.ask(application.client().prompt("Weather?").tools(this.tools));
	}

	@ParameterizedTest
	@EnumSource
	void deniedCallIsAnErrorOfItsSpanAndOfTheSpanOfSpringAi(Way way) {
		Application.run(
				runner((call) -> ToolDecision.deny("Not Paris").withRule(new HookRule("cities", "house.yaml:3:5"))),
				(application) -> {
					application.model().calls("weather", "{\"city\":\"Paris\"}");
					ask(way, application);
					Observation.Context call = this.observed.only("hooks.tool.call");
					assertThat(call.getError()).hasMessage("The call was denied by 'hook'");
					assertThat(RecordedObservations.value(call, "hooks.rule")).isEqualTo("cities");
					assertThat(RecordedObservations.value(call, "hooks.rule.origin")).isEqualTo("house.yaml:3:5");
					assertThat(RecordedObservations.low(call, "hooks.verdict")).isEqualTo("deny");
					assertThat(RecordedObservations.low(call, "hooks.decided_by")).isEqualTo("hook");
					assertThat(RecordedObservations.low(call, "hooks.tool")).isEqualTo("weather");
					assertThat(RecordedObservations.value(call, "hooks.reason")).isEqualTo("Not Paris");
					assertThat(this.observed.named("hooks.hook"))
						.allSatisfy((hook) -> assertThat(RecordedObservations.parent(hook)).isSameAs(call))
						.first()
						.satisfies((hook) -> assertThat(RecordedObservations.low(hook, "hooks.verdict"))
							.isEqualTo("deny"));
					assertThat(this.observed.named("spring.ai.tool")).allSatisfy((around) -> {
						assertThat(around.getError()).hasMessage("The call was denied by 'hook'");
						assertThat(RecordedObservations.value(around, "hooks.verdict")).isEqualTo("deny");
						assertThat(RecordedObservations.low(around, "hooks.verdict")).isNull();
						assertThat(RecordedObservations.value(around, "hooks.rule")).isEqualTo("cities");
						assertThat(RecordedObservations.value(around, "hooks.rule.origin")).isEqualTo("house.yaml:3:5");
						assertThat(around.getLowCardinalityKeyValues().toString()).doesNotContain("hooks.rule");
					});
					assertOneExecuteTool();
					assertThat(this.observed.openScopes()).isZero();
				});
	}

	@ParameterizedTest
	@EnumSource
	void callThatPassesIsNoError(Way way) {
		Application.run(runner((call) -> ToolDecision.approve()), (application) -> {
			application.model().calls("weather", "{\"city\":\"Paris\"}");
			ask(way, application);
			assertThat(this.tools.cities).containsExactly("Paris");
			assertThat(this.observed.only("hooks.tool.call").getError()).isNull();
			assertThat(this.observed.named("spring.ai.tool")).hasSize(1)
				.allSatisfy((around) -> assertThat(around.getError()).isNull());
			assertOneExecuteTool();
		});
	}

	@ParameterizedTest
	@EnumSource
	void answeredAndFailedCallsAreSeen(Way way) {
		Application.run(runner((call) -> (call.tool().equals("weather"))
				? ToolDecision.respond(ToolResult.success("rain")) : ToolDecision.approve()), (application) -> {
					application.model()
						.calls("weather", "{\"city\":\"Paris\"}")
						.calls("broken", "{\"city\":\"Paris\"}");
					ask(way, application);
					assertThat(this.observed.named("hooks.tool.call"))
						.extracting((call) -> RecordedObservations.low(call, "hooks.outcome"))
						.containsExactly("answered", "failed");
					assertThat(this.observed.named("hooks.tool.call").get(1).getError())
						.hasMessageStartingWith("Failed with");
				});
	}

	@ParameterizedTest
	@EnumSource
	void actuatorCountsEachCallOnce(Way way) {
		Application.run(runner((call) -> ToolDecision.approve()), (application) -> {
			application.model().calls("weather", "{\"city\":\"Paris\"}");
			ask(way, application);
			MeterRegistry meters = application.context().getBean(MeterRegistry.class);
			assertThat(meters.find("hooks.tool.call").timers().stream().mapToLong(Timer::count).sum()).isOne();
			assertThat(meters.find("hooks.hook").tag("hook", "hook").timers().stream().mapToLong(Timer::count).sum())
				.isOne();
			assertThat(meters.find("hooks.tool.call.active").meters()).isEmpty();
		});
	}

	private void assertOneExecuteTool() {
		assertThat(this.observed.all()
			.stream()
			.filter((span) -> String.valueOf(span.getContextualName()).startsWith("execute_tool"))).hasSizeLessThan(2);
	}

}
