package io.agenthooks.spring.metrics;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.agenthooks.Verdict;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * Times calls, and counts those that passed because a hook failed open.
 */
final class ToolCallMetrics implements PostToolHook {

	private final MeterRegistry registry;

	private final ToolCallMetricsConvention convention;

	private final ToolTags tools;

	private final ConcurrentMap<Key, Timer> timers = new ConcurrentHashMap<>();

	/**
	 * Create the hook.
	 * @param registry where the meters go
	 * @param convention their names and tags
	 * @param tools which names of tools become tags
	 */
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
		Key key = new Key(this.tools.of(outcome.requested().tool(), outcome.decidedBy()), outcome.status(),
				outcome.decision().verdict(), outcome.decidedBy());
		Timer timer = this.timers.get(key);
		if (timer == null) {
			timer = this.timers.computeIfAbsent(key,
					(absent) -> Timer.builder(this.convention.toolCallName())
						.description("Calls of tools, hooks included")
						.tags(this.convention.toolCallTags(absent.tool(), outcome))
						.register(this.registry));
		}
		timer.record(outcome.duration());
		count(this.convention.failedOpenName(), outcome.failedOpen());
		count(this.convention.wouldDenyName(), outcome.wouldDeny());
	}

	private void count(String counter, List<String> hooks) {
		hooks.forEach((hook) -> this.registry.counter(counter, this.convention.hookTags(hook)).increment());
	}

	private record Key(String tool, ToolCallStatus status, Verdict verdict, @Nullable String decidedBy) {
	}

}
