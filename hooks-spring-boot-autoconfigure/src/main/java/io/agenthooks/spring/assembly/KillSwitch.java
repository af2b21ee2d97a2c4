package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.Glob;
import io.agenthooks.SafeText;
import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.spring.outcome.ToolSwitch.Part;
import io.agenthooks.spring.outcome.ToolSwitch.Switched;
import io.agenthooks.spring.threads.HooksThreads;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Switches tools off and on: on this node, or on all that share the switch. What is
 * switched off holds here at once; what is switched on, once the store says so. While
 * nobody knows what is off, all tools are.
 */
final class KillSwitch implements AutoCloseable {

	/** Other nodes follow within this time and the timeout of the store. */
	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final Duration GRACE = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(KillSwitch.class);

	private final WarningThrottle unanswered = new WarningThrottle(logger);

	private final ToolHookChain chain;

	private final @Nullable SharedSwitch shared;

	private final Supplier<List<ToolSwitch.Watch>> watches;

	private final @Nullable ScheduledThreadPoolExecutor timer;

	private final Switched unknown = new Switched(Part.ALL, false, now(), null, ToolSwitch.STORE);

	/** Whether all tools are off by the configuration, on this node alone. */
	private boolean offAtStart;

	/** Whether this closed the chain, and may open it; not if the application did. */
	private boolean closed;

	/** The parts off by the store's last answer, or {@code null} before the first. */
	private volatile @Nullable List<Switched> stored;

	/** The parts that are off on this node, and not in the store as far as is known. */
	private List<Switched> own = List.of();

	private volatile List<Switched> off = List.of();

	private volatile List<OffPart> some = List.of();

	private volatile boolean started;

	KillSwitch(ToolHookChain chain, boolean offAtStart, @Nullable SharedSwitch shared,
			Supplier<List<ToolSwitch.Watch>> watches) {
		this.chain = chain;
		this.offAtStart = offAtStart;
		this.shared = shared;
		this.stored = (shared != null) ? null : List.of();
		this.watches = watches;
		this.closed = shared != null;
		apply();
		this.timer = (shared != null) ? HooksThreads.timer("hooks-switch") : null;
		if (this.timer != null) {
			follow();
			Future<?> unused = this.timer.scheduleWithFixedDelay(this::follow, INTERVAL.toMillis(), INTERVAL.toMillis(),
					TimeUnit.MILLISECONDS);
		}
	}

	boolean isShared() {
		return this.shared != null;
	}

	synchronized boolean isOffAtStart() {
		return this.offAtStart;
	}

	List<Switched> off() {
		return this.off;
	}

	/** Notify watches from now on of what other nodes switch: these need all beans. */
	void started() {
		this.started = true;
	}

	void switchTools(boolean enabled, Part part, @Nullable String user, String through) {
		Switched switched = new Switched(part, enabled, now(), user, through);
		synchronized (this) {
			check(switched);
			if (!enabled) {
				this.own = OffParts.after(this.own, switched);
				apply();
			}
			try {
				store(switched);
			}
			catch (RuntimeException ex) {
				report(switched);
				throw new IllegalStateException((enabled)
						? "The tools stay switched off: the store that nodes share does not answer"
						: "The tools are switched off on this node. Others follow when the store that nodes share answers",
						ex);
			}
		}
		report(switched);
	}

	private void check(Switched switched) {
		Part part = switched.part();
		if (switched.enabled() && part.kind() != Part.Kind.ALL && !OffParts.has(this.off, part)) {
			throw new IllegalStateException("Nothing is switched off by '%s'".formatted(SafeText.name(part.glob())));
		}
		if (!switched.enabled() && this.off.size() >= ToolSwitch.MAX_PARTS && part.kind() != Part.Kind.ALL
				&& !OffParts.has(this.off, part)) {
			throw new IllegalStateException("There are %d parts switched off, and may be no more: switch all tools off"
				.formatted(ToolSwitch.MAX_PARTS));
		}
	}

	/** Let all nodes know it, with what they do not know yet. */
	private void store(Switched switched) {
		List<Switched> own = OffParts.after(this.own, switched);
		boolean isAllOn = switched.enabled() && switched.part().kind() == Part.Kind.ALL;
		if (this.shared != null && this.shared.known() == null && !isAllOn) {
			// Others are told when it is known what else is off: a store that knows
			// nothing would know this alone, and all other tools would be on.
			this.own = own;
			apply();
			return;
		}
		if (this.shared != null) {
			this.shared.change((parts) -> OffParts.after(OffParts.union(parts, own), switched));
			this.stored = this.shared.known();
			this.own = List.of();
		}
		else {
			this.own = own;
		}
		if (isAllOn) {
			this.offAtStart = false;
			this.closed = true;
		}
		apply();
	}

	/** Do what other nodes have switched, and tell them what they do not know yet. */
	private void follow() {
		SharedSwitch shared = Objects.requireNonNull(this.shared);
		try {
			shared.read();
			List<Switched> before;
			synchronized (this) {
				List<Switched> own = this.own;
				if (!own.isEmpty() && shared.known() != null) {
					shared.change((parts) -> OffParts.union(parts, own));
					this.own = List.of();
				}
				before = this.off;
				// Not what was read: this node may have switched something since.
				this.stored = shared.known();
				apply();
			}
			reportChanges(before, this.off);
		}
		catch (Throwable ex) {
			// A timer forgets a task that throws, and this node would follow nobody.
			this.unanswered.warn((this.stored == null)
					? "The store that nodes share does not say which tools are switched off, so all of them are"
					: "The store that nodes share does not say which tools are switched off: this node goes by what it said last");
			logger.debug("The switch that nodes share cannot be read", ex);
		}
	}

	private void apply() {
		List<Switched> stored = (this.stored != null) ? this.stored : List.of(this.unknown);
		List<Switched> off = OffParts.union(stored, this.own);
		this.off = off;
		List<OffPart> some = off.stream().filter((one) -> one.part().kind() != Part.Kind.ALL).map(OffPart::of).toList();
		// In this order, so that no call passes between the two.
		boolean all = this.offAtStart || OffParts.has(off, Part.ALL);
		if (all) {
			this.chain.setToolsEnabled(false);
		}
		this.some = some;
		this.chain.setToolsOff((some.isEmpty()) ? null : this::whyOff);
		if (!all && this.closed) {
			this.chain.setToolsEnabled(true);
		}
		this.closed = all;
	}

	@Nullable String whyOff(ToolCall call) {
		for (OffPart part : this.some) {
			if (part.includes(call)) {
				return (part.kind() == Part.Kind.TOOL) ? "The tool is switched off"
						: "Tools are switched off for this agent";
			}
		}
		return null;
	}

	private void reportChanges(List<Switched> before, List<Switched> now) {
		Stream<Switched> on = before.stream()
			.filter((one) -> !one.equals(this.unknown) && !OffParts.has(now, one.part()))
			.map((one) -> new Switched(one.part(), true, now(), null, ToolSwitch.OTHER_NODE));
		Stream<Switched> off = now.stream()
			.filter((one) -> !one.equals(this.unknown)
					&& (before.contains(this.unknown) || !OffParts.has(before, one.part())))
			.map((one) -> new Switched(one.part(), false, one.at(), one.user(), ToolSwitch.OTHER_NODE));
		Stream.concat(on, off).forEach((switched) -> {
			log(switched);
			if (this.started) {
				tell(switched);
			}
		});
	}

	private void report(Switched switched) {
		log(switched);
		tell(switched);
	}

	private void tell(Switched switched) {
		this.watches.get().forEach((watch) -> watch.switched(switched));
	}

	private static void log(Switched switched) {
		logger.warn("{} (through {}{})", sentence(switched), switched.through(),
				(switched.user() != null) ? ", by '" + SafeText.name(switched.user()) + "'" : "");
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

	private static String sentence(Switched switched) {
		String state = (switched.enabled()) ? "on" : "off";
		String glob = SafeText.name(switched.part().glob());
		return switch (switched.part().kind()) {
			case ALL -> (switched.enabled()) ? "Tools are switched on" : "Tools are switched off: every call is denied";
			case TOOL -> "The tools '%s' are switched %s".formatted(glob, state);
			case AGENT -> "All tools are switched %s for the agents '%s'".formatted(state, glob);
		};
	}

	@Override
	public void close() {
		if (this.timer != null) {
			this.timer.getQueue().clear();
			HooksThreads.end(this.timer, GRACE);
		}
	}

	private record OffPart(Part.Kind kind, Predicate<String> names) {

		static OffPart of(Switched off) {
			return new OffPart(off.part().kind(), Glob.of(off.part().glob()));
		}

		boolean includes(ToolCall call) {
			return (this.kind == Part.Kind.TOOL) ? call.identity().anyName(this.names)
					: this.names.test(Objects.requireNonNullElse(call.context().agent(), ""));
		}

	}

}
