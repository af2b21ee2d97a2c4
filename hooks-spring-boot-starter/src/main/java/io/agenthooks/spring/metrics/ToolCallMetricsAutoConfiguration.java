package io.agenthooks.spring.metrics;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.spring.assembly.ConditionalOnHooks;
import io.agenthooks.spring.assembly.ConditionalOnHooks.Kind;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.guard.GuardedType;
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
	@ConditionalOnMissingBean(name = "toolCallMetrics")
	ToolCallMetrics toolCallMetrics(MeterRegistry registry, ToolCallMetricsConvention convention,
			ObjectProvider<ToolExecutor> executors, ObjectProvider<GuardedType> guarded) {
		// Executors are looked at when the first call is made: they may need the hooks.
		SingletonSupplier<Set<String>> tools = SingletonSupplier.of(() -> declaredTools(executors, guarded));
		return new ToolCallMetrics(registry, convention, tools::obtain);
	}

	/**
	 * The names of all tools, or none if an executor, or a library that has tools of its
	 * own, does not say which it has.
	 */
	private static Set<String> declaredTools(ObjectProvider<ToolExecutor> executors,
			ObjectProvider<GuardedType> guarded) {
		if (guarded.stream()
			.anyMatch((type) -> type.runsTools() && !type.types().equals(List.of(ToolExecutor.class)))) {
			return Set.of();
		}
		List<Set<String>> names = executors.stream().map(ToolExecutor::toolNames).toList();
		return (names.stream().anyMatch(Set::isEmpty)) ? Set.of()
				: names.stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Before all other decorators, so it knows what it measures.
	 */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	@ConditionalOnMissingBean(name = "hookMetrics")
	HookMetrics hookMetrics(MeterRegistry registry, ToolCallMetricsConvention convention) {
		return new HookMetrics(registry, convention);
	}

}
