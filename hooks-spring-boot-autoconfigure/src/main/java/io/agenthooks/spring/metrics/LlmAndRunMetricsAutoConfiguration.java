package io.agenthooks.spring.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;

/**
 * Measures model calls and runs of agents if there is a {@link MeterRegistry}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = { LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class },
		after = ToolCallMetricsAutoConfiguration.class)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class LlmAndRunMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "llmAndRunMetrics")
	LlmAndRunMetrics llmAndRunMetrics(MeterRegistry registry, ObjectProvider<ToolCallMetricsConvention> convention) {
		return new LlmAndRunMetrics(registry, convention.getIfAvailable(() -> new ToolCallMetricsConvention() {
		}));
	}

}
