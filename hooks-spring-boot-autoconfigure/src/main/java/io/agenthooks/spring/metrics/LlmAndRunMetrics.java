package io.agenthooks.spring.metrics;

import java.time.Duration;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunOutcome;

final class LlmAndRunMetrics implements PostLlmHook, PostRunHook {

	private final MeterRegistry registry;

	private final ToolCallMetricsConvention convention;

	LlmAndRunMetrics(MeterRegistry registry, ToolCallMetricsConvention convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public String name() {
		return "metrics";
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		record(this.convention.llmCallName(), "Calls of models, hooks included", this.convention.llmCallTags(outcome),
				outcome.duration());
		count(this.convention.failedOpenName(), outcome.failedOpen());
		count(this.convention.wouldDenyName(), outcome.wouldDeny());
	}

	@Override
	public void postRun(RunOutcome outcome) {
		record(this.convention.runName(), "Runs of agents, hooks included", this.convention.runTags(outcome),
				outcome.duration());
		count(this.convention.failedOpenName(), outcome.failedOpen());
		count(this.convention.wouldDenyName(), outcome.wouldDeny());
	}

	private void record(String name, String description, Tags tags, Duration duration) {
		Timer.builder(name).description(description).tags(tags).register(this.registry).record(duration);
	}

	private void count(String counter, List<String> hooks) {
		hooks.forEach((hook) -> this.registry.counter(counter, this.convention.hookTags(hook)).increment());
	}

}
