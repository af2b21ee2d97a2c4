package io.agenthooks.spring.metrics;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.chain.WatchedHook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.external.Unanswered;

/** Times every hook by its verdict, and counts what hooks drop, lose or skip. */
final class HookMetrics implements CallWatch, HookCountsReader {

	/** The types of hooks that have a timeout of their own. */
	private static final Set<String> EXTERNAL = Set.of("webhook", "command", "process", "prompt");

	private final WarningThrottle warnings = new WarningThrottle(LoggerFactory.getLogger(HookMetrics.class));

	private final ToolTag hidden = new ToolTag();

	private final WatchedCall timing = new Timing();

	private final MeterRegistry registry;

	private final ToolCallMetricsConvention convention;

	private final Map<String, OwnTimeouts> ownTimeouts = new ConcurrentHashMap<>();

	private final Map<MeterKey, Set<HookCounts>> joined = new ConcurrentHashMap<>();

	HookMetrics(MeterRegistry registry, ToolCallMetricsConvention convention) {
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public void added(String name, String type) {
		if (EXTERNAL.contains(type)) {
			// From 0 on, so that the first timeout is an increase.
			ownTimeouts(name);
		}
	}

	@Override
	public boolean needsHooks() {
		return true;
	}

	@Override
	public WatchedCall begin(HookedCall call) {
		return this.timing;
	}

	@Override
	public WatchedCall review(HookedCall call) {
		return this.timing;
	}

	@Override
	public void hidden(HookEntry<?> hook, String target) {
		this.registry
			.counter(this.convention.hiddenName(),
					this.convention.hookTags(hook.name()).and("tool", this.hidden.of(target)))
			.increment();
	}

	/** One that is given up from outside is counted there. */
	private void countTimeout(String hook) {
		try {
			ownTimeouts(hook).increment();
		}
		catch (RuntimeException ex) {
			this.warnings
				.warn("A timeout of the hook '%s' could not be counted: %s".formatted(hook, ex.getClass().getName()));
		}
	}

	private LongAdder ownTimeouts(String hook) {
		return this.ownTimeouts.computeIfAbsent(hook, (absent) -> {
			OwnTimeouts own = new OwnTimeouts(new LongAdder());
			join(hook, own);
			return own;
		}).counted();
	}

	@Override
	public void join(String name, HookCounts counts) {
		count(this.convention.droppedNotificationsName(), "Notifications that were dropped because a queue was full",
				name, counts, HookCounts::droppedNotifications);
		count(this.convention.failedNotificationsName(), "Notifications that were sent and did not arrive", name,
				counts, HookCounts::failedNotifications);
		count(this.convention.droppedRepliesName(), "Replies that were dropped because no call waited for them", name,
				counts, HookCounts::droppedReplies);
		count(this.convention.timeoutsName(), "Hooks, listeners and approvers that exceeded their time limit", name,
				counts, HookCounts::timeouts);
		count(this.convention.skippedName(), "Calls that skipped a hook because too many of its threads hang", name,
				counts, HookCounts::skippedCalls);
		if (counts.abandonedThreads() >= 0) {
			show(this.convention.abandonedThreadsName(), "Threads that still run a hook after its time limit", name,
					counts, HookMetrics::abandonedThreads);
		}
		if (!(counts.remainingCalls() < 0)) {
			show(this.convention.remainingCallsName(), "The least that a limit had left for a recent key", name, counts,
					HookMetrics::remainingCalls);
		}
	}

	/** All hooks of a name together: a registry ignores a second counter of that name. */
	private void count(String counter, String description, String hook, HookCounts counts,
			ToLongFunction<HookCounts> count) {
		if (count.applyAsLong(counts) >= 0) {
			this.joined.computeIfAbsent(new MeterKey(counter, hook), (absent) -> {
				Set<HookCounts> hooks = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
				FunctionCounter.builder(counter, hooks, (all) -> sum(all, count))
					.description(description)
					.tags(this.convention.hookTags(hook))
					.register(this.registry);
				return hooks;
			}).add(counts);
		}
	}

	private static long sum(Set<HookCounts> hooks, ToLongFunction<HookCounts> count) {
		synchronized (hooks) {
			return hooks.stream().mapToLong(count).sum();
		}
	}

	/** Holds no hook, since one that was registered at run time may go again. */
	private void show(String gauge, String description, String hook, HookCounts counts,
			ToDoubleFunction<Set<HookCounts>> value) {
		this.joined.computeIfAbsent(new MeterKey(gauge, hook), (absent) -> {
			Set<HookCounts> hooks = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
			Gauge.builder(gauge, hooks, value)
				.description(description)
				.tags(this.convention.hookTags(hook))
				.register(this.registry);
			return hooks;
		}).add(counts);
	}

	private static double remainingCalls(Set<HookCounts> hooks) {
		synchronized (hooks) {
			return hooks.stream()
				.mapToDouble(HookCounts::remainingCalls)
				.filter((left) -> !Double.isNaN(left))
				.min()
				.orElse(Double.NaN);
		}
	}

	private static int abandonedThreads(Set<HookCounts> hooks) {
		synchronized (hooks) {
			return hooks.stream().mapToInt(HookCounts::abandonedThreads).sum();
		}
	}

	private record MeterKey(String meter, String hook) {
	}

	private record OwnTimeouts(LongAdder counted) implements HookCounts {

		@Override
		public long timeouts() {
			return this.counted.sum();
		}

	}

	private final class Timing implements WatchedCall {

		@Override
		public WatchedHook ask(HookEntry<?> hook, HookPart part) {
			long start = System.nanoTime();
			return (decision, failure) -> {
				long nanos = System.nanoTime() - start;
				if (decision != null && Unanswered.isTimeout(decision)) {
					countTimeout(hook.name());
				}
				time(hook, Unanswered.verdict(part, decision, failure), nanos);
			};
		}

		/** A meter that fails is no failure of the hook: what it has decided stands. */
		private void time(HookEntry<?> hook, String verdict, long nanos) {
			try {
				Timer.builder(HookMetrics.this.convention.hookName())
					.description("Hooks around calls")
					.tags(HookMetrics.this.convention.hookTags(hook.name(), hook.type(), verdict))
					.register(HookMetrics.this.registry)
					.record(nanos, TimeUnit.NANOSECONDS);
			}
			catch (RuntimeException ex) {
				HookMetrics.this.warnings
					.warn("The hook '%s' could not be timed: %s".formatted(hook.name(), ex.getClass().getName()));
			}
		}

	}

}
