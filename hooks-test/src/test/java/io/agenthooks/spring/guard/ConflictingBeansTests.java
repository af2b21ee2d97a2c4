package io.agenthooks.spring.guard;

import java.util.function.Supplier;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.aot.AbstractAotProcessor;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.answer.ToolResultCacheProvider;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsConvention;
import io.agenthooks.spring.process.ProcessPrograms;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolHookChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two beans of a type of which the hooks need one stop the start, and an analysis of ours
 * names them and says what to do.
 */
class ConflictingBeansTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
				LlmAndRunMetricsAutoConfiguration.class, ToolCallHooksAutoConfiguration.class,
				ToolCallMetricsAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
				LangChain4jHooksAutoConfiguration.class))
		// Ahead of time, so all types are made
		.withSystemProperties(AbstractAotProcessor.AOT_PROCESSING + "=true")
		.withPropertyValues("hooks.tool-call.pre-call[0].type=cache", "hooks.tool-call.pre-call[0].match[0]=t",
				"hooks.tool-call.pre-call[0].config.ttl=1m");

	static Stream<Arguments> types() {
		return Stream.of(of(ToolApprover.class, ToolApprover::nobody), of(AbortedRuns.class, AbortedRuns::new),
				of(ToolResultCacheProvider.class, ToolResultCacheProvider::caffeine),
				of(MeterRegistry.class, SimpleMeterRegistry::new),
				of(ObservationRegistry.class, ObservationRegistry::create),
				of(ToolCallMetricsConvention.class, () -> new ToolCallMetricsConvention() {
				}), of(ProcessPrograms.class, ProcessPrograms::new),
				of(LlmHookChain.class,
						() -> new LlmHookChain(java.util.List.of(), java.util.List.of(), java.util.List.of())),
				of(RunHookChain.class, () -> new RunHookChain(java.util.List.of(), java.util.List.of())),
				of(ToolHookChain.class, () -> new ToolHookChain(java.util.List.of(), java.util.List.of())));
	}

	private static <T> Arguments of(Class<T> type, Supplier<T> bean) {
		return Arguments.of(type, bean);
	}

	@ParameterizedTest
	@MethodSource("types")
	<T> void twoBeansAreNamedWithWhatToDo(Class<T> type, Supplier<T> bean) {
		with(type, bean, false).run((context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat(failure).isNotNull();
			FailureAnalysis analysis = new ConflictingBeansFailureAnalyzer().analyze(failure);
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains(type.getName()).contains("'one', 'other'");
			assertThat(analysis.getAction()).contains("@Primary");
		});
	}

	@ParameterizedTest
	@MethodSource("types")
	<T> void primaryBeanIsTaken(Class<T> type, Supplier<T> bean) {
		with(type, bean, true).run((context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat((failure != null) ? new ConflictingBeansFailureAnalyzer().analyze(failure) : null).isNull();
		});
	}

	private <T> ApplicationContextRunner with(Class<T> type, Supplier<T> bean, boolean primary) {
		ApplicationContextRunner runner = (type != MeterRegistry.class)
				? this.contextRunner.withBean(SimpleMeterRegistry.class) : this.contextRunner;
		return runner.withBean("one", type, bean, (definition) -> definition.setPrimary(primary))
			.withBean("other", type, bean);
	}

	@Test
	void conflictThatIsNotOursIsLeftToSpringBoot() {
		this.contextRunner.withBean(SimpleMeterRegistry.class).withBean("one", Runnable.class, () -> () -> {
		}).withBean("other", Runnable.class, () -> () -> {
		}).withBean(OfTheApplication.class).run((context) -> {
			// A class of these tests is in our package; the application's is not.
			Throwable failure = context.getStartupFailure();
			assertThat(failure).isNotNull();
			assertThat(failure).hasMessageContaining("Runnable");
		});
	}

	record OfTheApplication(Runnable needed) {
	}

}
