package io.agenthooks.spring.metrics;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolOutcome;

final class ToolCallMetrics implements PostToolHook {

	private final MeterRegistry registry;

	private final ToolCallMetricsConvention convention;

	private final ToolTags tools;

	ToolCallMetrics(MeterRegistry registry, ToolCallMetricsConvention convention, ToolTags tools) {
		this.registry = registry;
		this.convention = convention;
		this.tools = tools;
	}

	@Override
	public String name() {
		return "metrics";
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		String tool = this.tools.of(outcome.requested().tool(), outcome.decidedBy());
		Timer.builder(this.convention.toolCallName())
			.description("Calls of tools, hooks included")
			.tags(this.convention.toolCallTags(tool, outcome))
			.register(this.registry)
			.record(outcome.duration());
		count(this.convention.failedOpenName(), outcome.failedOpen());
		count(this.convention.wouldDenyName(), outcome.wouldDeny());
	}

	private void count(String counter, List<String> hooks) {
		hooks.forEach((hook) -> this.registry.counter(counter, this.convention.hookTags(hook)).increment());
	}

}
