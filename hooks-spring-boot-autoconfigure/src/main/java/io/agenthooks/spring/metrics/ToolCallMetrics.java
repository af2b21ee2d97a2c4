package io.agenthooks.spring.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.agenthooks.Verdict;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolOutcome;

/** Times calls, and counts those that passed because a hook failed open. */
final class ToolCallMetrics implements PostToolHook {

	private static final int VERDICTS = Verdict.values().length;

	private static final int ENDINGS = ToolCallStatus.values().length * VERDICTS;

	private final MeterRegistry registry;

	private final ToolCallMetricsConvention convention;

	private final ToolTags tools;

	/** By the tool, by the hook that settled the call, and by how it ended. */
	private final Map<String, Map<String, AtomicReferenceArray<@Nullable Timer>>> timers = new ConcurrentHashMap<>();

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
		timerOf(tool, outcome).record(outcome.duration().toNanos(), TimeUnit.NANOSECONDS);
		count(this.convention.failedOpenName(), outcome.failedOpen());
		count(this.convention.wouldDenyName(), outcome.wouldDeny());
	}

	/** The timer of all calls that ended like this one. To find it makes no object. */
	private Timer timerOf(String tool, ToolOutcome outcome) {
		Map<String, AtomicReferenceArray<@Nullable Timer>> ofTool = this.timers.get(tool);
		AtomicReferenceArray<@Nullable Timer> timers = (ofTool != null) ? ofTool.get(hook(outcome)) : null;
		Timer timer = (timers != null) ? timers.get(place(outcome)) : null;
		return (timer != null) ? timer : register(tool, outcome);
	}

	/** Registering a timer twice gives the same. */
	private Timer register(String tool, ToolOutcome outcome) {
		Timer timer = Timer.builder(this.convention.toolCallName())
			.description("Calls of tools, hooks included")
			.tags(this.convention.toolCallTags(tool, outcome))
			.register(this.registry);
		this.timers.computeIfAbsent(tool, (absent) -> new ConcurrentHashMap<>())
			.computeIfAbsent(hook(outcome), (absent) -> new AtomicReferenceArray<>(2 * ENDINGS))
			.set(place(outcome), timer);
		return timer;
	}

	private static String hook(ToolOutcome outcome) {
		String hook = outcome.decidedBy();
		return (hook != null) ? hook : "";
	}

	@SuppressWarnings("EnumOrdinal") // a place in arrays that no other process sees
	private static int place(ToolOutcome outcome) {
		int ending = outcome.status().ordinal() * VERDICTS + outcome.decision().verdict().ordinal();
		return (outcome.decidedBy() != null) ? ending : ENDINGS + ending;
	}

	private void count(String counter, List<String> hooks) {
		if (!hooks.isEmpty()) {
			hooks.forEach((hook) -> this.registry.counter(counter, this.convention.hookTags(hook)).increment());
		}
	}

}
