package io.agenthooks.spring.metrics;

import java.util.Locale;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.agenthooks.spring.assembly.ConditionalOnHooks;
import io.agenthooks.spring.assembly.ConditionalOnHooks.Kind;
import io.agenthooks.spring.assembly.HealthOfHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.guard.UnguardedCallListener;
import io.agenthooks.spring.outcome.QuestionChange;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Measures calls of tools and hooks if there is a {@link MeterRegistry}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = ToolCallHooksAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnHooks(Kind.TOOL_CALL)
public final class ToolCallMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ToolCallMetricsConvention toolCallMetricsConvention() {
		return new ToolCallMetricsConvention() {
		};
	}

	@Bean
	@ConditionalOnMissingBean
	ToolTags hooksToolTags(ObjectProvider<ToolExecutor> executors, ObjectProvider<GuardedType> guarded) {
		return ToolTags.of(executors, guarded);
	}

	@Bean
	@ConditionalOnMissingBean(name = "toolCallMetrics")
	ToolCallMetrics toolCallMetrics(MeterRegistry registry, ToolCallMetricsConvention convention, ToolTags tools) {
		return new ToolCallMetrics(registry, convention, tools);
	}

	@Bean
	@ConditionalOnMissingBean(name = "downMetrics")
	DownMetrics downMetrics(MeterRegistry registry, ToolCallMetricsConvention convention,
			ObjectProvider<HealthOfHooks> hooks) {
		return new DownMetrics(registry, convention, hooks);
	}

	/** Inside of all other watches, so it measures hooks alone. */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	@ConditionalOnMissingBean(name = "hookMetrics")
	HookMetrics hookMetrics(MeterRegistry registry, ToolCallMetricsConvention convention) {
		return new HookMetrics(registry, convention);
	}

	@Bean
	QuestionChange.Watch questionMetrics(MeterRegistry registry, ToolCallMetricsConvention convention) {
		return (change) -> {
			// All of them from the first question on: what a counter begins with is no
			// increase.
			for (QuestionChange.State state : QuestionChange.State.values()) {
				registry
					.counter(convention.approvalsName(),
							convention.approvalsTags(state.name().toLowerCase(Locale.ROOT)))
					.increment((state == change.state()) ? 1 : 0);
			}
		};
	}

	@Bean
	UnguardedCallListener unguardedCallMetrics(MeterRegistry registry, ToolCallMetricsConvention convention) {
		ToolTag tag = new ToolTag();
		return (tool) -> registry.counter(convention.unguardedName(), "tool", tag.of(tool)).increment();
	}

}
