package io.agenthooks.spring.langchain4j;

import java.util.Map;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;

import io.agenthooks.spring.langchain4j.GuardedApplication.Files;
import io.agenthooks.spring.observation.HooksObservationAutoConfiguration;
import io.agenthooks.spring.observation.RecordedObservations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the traces of an application with LangChain4j show of tool calls.
 */
class ObservedToolCallsTests {

	private final RecordedObservations observed = new RecordedObservations();

	private final ObservationRegistry registry = ObservationRegistry.create();

	ObservedToolCallsTests() {
		this.registry.observationConfig().observationHandler(this.observed);
	}

	@ParameterizedTest
	@EnumSource
	void deniedCallIsAnError(Way way) {
		Observation.Context call = call(way, "deny");
		assertThat(call.getError()).hasMessage("The call was denied by 'by-path'");
		assertThat(RecordedObservations.low(call, "hooks.verdict")).isEqualTo("deny");
		assertThat(RecordedObservations.low(call, "hooks.tool")).isEqualTo("read");
		assertThat(RecordedObservations.value(call, "hooks.reason")).isEqualTo("Not this one");
		assertThat(RecordedObservations.parent(this.observed.only("hooks.hook"))).isSameAs(call);
	}

	@ParameterizedTest
	@EnumSource
	void callThatPassesIsNoError(Way way) {
		Observation.Context call = call(way, "ok");
		assertThat(call.getError()).isNull();
		assertThat(RecordedObservations.low(call, "hooks.outcome")).isEqualTo("succeeded");
	}

	@ParameterizedTest
	@EnumSource
	void toolThatThrowsIsAnError(Way way) {
		Observation.Context call = call(way, "throw");
		assertThat(call.getError()).hasMessageStartingWith("Failed with").hasMessageNotContaining("fire");
		assertThat(RecordedObservations.low(call, "hooks.outcome")).isEqualTo("failed");
	}

	private Observation.Context call(Way way, String path) {
		GuardedApplication.runner()
			.withConfiguration(AutoConfigurations.of(HooksObservationAutoConfiguration.class))
			.withBean(ObservationRegistry.class, () -> this.registry)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				ScriptedModel model = ScriptedModel.thatCalls(read(path));
				String unused = way.ask(way.service(model).tools(new Files()).build(), "s");
			});
		assertThat(this.observed.openScopes()).isZero();
		return this.observed.only("hooks.tool.call");
	}

	private static ToolExecutionRequest read(String path) {
		return ScriptedModel.call("read", Map.of("path", path));
	}

}
