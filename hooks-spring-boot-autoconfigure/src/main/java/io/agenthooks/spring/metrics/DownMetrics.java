package io.agenthooks.spring.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.assembly.HealthOfHooks;

final class DownMetrics implements SmartInitializingSingleton {

	private final MeterRegistry registry;

	private final ToolCallMetricsConvention convention;

	private final ObjectProvider<HealthOfHooks> hooks;

	DownMetrics(MeterRegistry registry, ToolCallMetricsConvention convention, ObjectProvider<HealthOfHooks> hooks) {
		this.registry = registry;
		this.convention = convention;
		this.hooks = hooks;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.hooks.ifAvailable((hooks) -> hooks.hooks().forEach((name, known) -> register(name, known)));
	}

	private void register(String name, HealthOfHooks.Known hook) {
		Gauge.builder(this.convention.downName(), hook, DownMetrics::down)
			.description("1 while a hook cannot decide, because what it asks is down")
			.tags(this.convention.hookTags(name))
			.strongReference(true)
			.register(this.registry);
	}

	private static int down(HealthOfHooks.Known hook) {
		return (hook.report().state() == HookHealth.State.DOWN) ? 1 : 0;
	}

}
