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
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import io.agenthooks.HookDecision;
import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.chain.WatchedHook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.external.Unanswered;

/**
 * Times every hook by its verdict, and counts the notifications and replies that hooks
 * drop.
 */
final class HookMetrics implements CallWatch, HookCountsReader {

	/** Hooks that applications register at run time may have ever new names. */
	private static final int MAX_HOOKS = 10_000;

	/** The types of hooks that have a timeout of their own. */
	private static final Set<String> EXTERNAL = Set.of("webhook", "command", "process", "prompt");

	private final WarningThrottle warnings = new WarningThrottle(LoggerFactory.getLogger(HookMetrics.class));

	private final ToolTag hidden = new ToolTag();

	private final Map<HookKey, Timers> timers = new ConcurrentHashMap<>();

	private final WatchedCall timing = new Timing();

	private final MeterRegistry registry;

	private final ToolCallMetricsConvention convention;

	private final Map<String, Counted> notifying = new ConcurrentHashMap<>();

	private final Map<String, Counted> failing = new ConcurrentHashMap<>();

	private final Map<String, Counted> asking = new ConcurrentHashMap<>();

	private final Map<String, Counted> overrunning = new ConcurrentHashMap<>();

	private final Map<String, OwnTimeouts> ownTimeouts = new ConcurrentHashMap<>();

	private final Map<String, Counted> skipping = new ConcurrentHashMap<>();

	private final Map<String, Set<HookCounts>> timeLimited = new ConcurrentHashMap<>();

	private final Map<String, Set<HookCounts>> limiting = new ConcurrentHashMap<>();

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

	private Timers timersOf(HookEntry<?> hook) {
		HookKey key = new HookKey(hook.name(), hook.type());
		Timers known = this.timers.get(key);
		if (known == null) {
			known = new Timers(key);
			if (this.timers.size() < MAX_HOOKS) {
				this.timers.put(key, known);
			}
		}
		return known;
	}

	/**
	 * Count a hook that ran into its own timeout. One that is given up from outside has
	 * decided nothing, and is counted there.
	 */
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
		OwnTimeouts known = this.ownTimeouts.get(hook);
		if (known == null) {
			known = this.ownTimeouts.computeIfAbsent(hook, (absent) -> new OwnTimeouts(new LongAdder()));
			join(hook, known);
		}
		return known.counted();
	}

	@Override
	public void join(String name, HookCounts counts) {
		if (counts.droppedNotifications() >= 0) {
			this.notifying
				.computeIfAbsent(name, (absent) -> new Counted(this.convention.droppedNotificationsName(), name,
						"Notifications that were dropped because a queue was full", HookCounts::droppedNotifications))
				.add(counts);
		}
		if (counts.failedNotifications() >= 0) {
			this.failing
				.computeIfAbsent(name,
						(absent) -> new Counted(this.convention.failedNotificationsName(), name,
								"Notifications that were sent and did not arrive", HookCounts::failedNotifications))
				.add(counts);
		}
		if (counts.droppedReplies() >= 0) {
			this.asking
				.computeIfAbsent(name, (absent) -> new Counted(this.convention.droppedRepliesName(), name,
						"Replies that were dropped because no call waited for them", HookCounts::droppedReplies))
				.add(counts);
		}
		if (counts.timeouts() >= 0) {
			this.overrunning
				.computeIfAbsent(name,
						(absent) -> new Counted(this.convention.timeoutsName(), name,
								"Hooks, listeners and approvers that exceeded their time limit", HookCounts::timeouts))
				.add(counts);
		}
		if (counts.skippedCalls() >= 0) {
			this.skipping
				.computeIfAbsent(name, (absent) -> new Counted(this.convention.skippedName(), name,
						"Calls that skipped a hook because too many of its threads hang", HookCounts::skippedCalls))
				.add(counts);
		}
		if (counts.abandonedThreads() >= 0) {
			this.timeLimited
				.computeIfAbsent(name,
						(absent) -> gauge(this.convention.abandonedThreadsName(), name,
								"Threads that still run a hook after its time limit", HookMetrics::abandonedThreads))
				.add(counts);
		}
		if (!(counts.remainingCalls() < 0)) {
			this.limiting
				.computeIfAbsent(name,
						(absent) -> gauge(this.convention.remainingCallsName(), name,
								"The least that a limit had left for a recent key", HookMetrics::remainingCalls))
				.add(counts);
		}
	}

	/**
	 * Show how the hooks of a name are now. A hook that was registered at run time may go
	 * again, so it is not held.
	 */
	private Set<HookCounts> gauge(String gauge, String hook, String description,
			ToDoubleFunction<Set<HookCounts>> value) {
		Set<HookCounts> hooks = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
		Gauge.builder(gauge, hooks, value)
			.description(description)
			.tags(this.convention.hookTags(hook))
			.register(this.registry);
		return hooks;
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

	/** The key of the timers of a hook. */
	private record HookKey(String name, String type) {
	}

	/** The number of times that the hooks of one name ran into their own timeout. */
	private record OwnTimeouts(LongAdder counted) implements HookCounts {

		@Override
		public long timeouts() {
			return this.counted.sum();
		}

	}

	/**
	 * The drops of the hooks of one name, in one counter. There may be one in each list,
	 * and a registry would ignore a second counter of the same name.
	 */
	private final class Counted {

		private final Set<HookCounts> hooks = Collections
			.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

		Counted(String counter, String hook, String description, ToLongFunction<HookCounts> dropped) {
			FunctionCounter.builder(counter, this.hooks, (all) -> sum(all, dropped))
				.description(description)
				.tags(HookMetrics.this.convention.hookTags(hook))
				.register(HookMetrics.this.registry);
		}

		private static long sum(Set<HookCounts> hooks, ToLongFunction<HookCounts> dropped) {
			synchronized (hooks) {
				return hooks.stream().mapToLong(dropped).sum();
			}
		}

		void add(HookCounts hook) {
			this.hooks.add(hook);
		}

	}

	/** Times the hooks of any call. */
	private final class Timing implements WatchedCall {

		@Override
		public WatchedHook ask(HookEntry<?> hook, HookPart part) {
			long start = System.nanoTime();
			return (decision, failure) -> timersOf(hook).record(verdict(hook, part, decision, failure), start);
		}

		private String verdict(HookEntry<?> hook, HookPart part, @Nullable HookDecision decision,
				@Nullable Throwable failure) {
			if (decision != null && Unanswered.isTimeout(decision)) {
				countTimeout(hook.name());
			}
			return Unanswered.verdict(part, decision, failure);
		}

	}

	/** The timers of one hook, by verdict. */
	private final class Timers {

		private final HookKey hook;

		private final Map<String, Timer> byVerdict = new ConcurrentHashMap<>();

		Timers(HookKey hook) {
			this.hook = hook;
		}

		/**
		 * Record what a hook took. A meter that fails is not a failure of the hook, which
		 * may fail open: what it has decided stands.
		 */
		void record(String verdict, long start) {
			try {
				Timer timer = this.byVerdict.get(verdict);
				if (timer == null) {
					timer = this.byVerdict.computeIfAbsent(verdict, this::timer);
				}
				timer.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
			}
			catch (RuntimeException ex) {
				HookMetrics.this.warnings
					.warn("The hook '%s' could not be timed: %s".formatted(this.hook.name(), ex.getClass().getName()));
			}
		}

		private Timer timer(String verdict) {
			return Timer.builder(HookMetrics.this.convention.hookName())
				.description("Hooks around calls")
				.tags(HookMetrics.this.convention.hookTags(this.hook.name(), this.hook.type(), verdict))
				.register(HookMetrics.this.registry);
		}

	}

}
