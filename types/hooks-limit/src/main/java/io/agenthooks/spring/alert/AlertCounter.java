package io.agenthooks.spring.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;

/**
 * Counts calls until there is an alert, and after each anew; an alert that follows
 * another of its key closely is kept back. With too many keys, further ones are counted
 * together: so a caller that makes up keys cannot make an alert stay away.
 */
final class AlertCounter {

	private static final Logger logger = LoggerFactory.getLogger(AlertCounter.class);

	private static final int MAX_KEYS = 10_000;

	/** Times that are kept, of all keys. */
	private static final int MAX_TIMES = 1_000_000;

	private static final Duration MIN_GRACE = Duration.ofSeconds(1);

	private static final Duration MAX_GRACE = Duration.ofMinutes(1);

	/** A full counter is not searched for each call. */
	private static final long SWEEP_PAUSE = Duration.ofSeconds(1).toNanos();

	private final String name;

	private final int times;

	private final long within;

	private final long silence;

	private final LongSupplier nanos;

	private final int maxKeys;

	private final Duration grace;

	private final Map<String, Counted> keys = new HashMap<>();

	private final Counted others;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private long nextSweep;

	private int keepingBack;

	AlertCounter(String name, int times, Duration within, Duration silence, LongSupplier nanos) {
		this.name = name;
		this.times = times;
		this.within = within.toNanos();
		this.silence = silence.toNanos();
		this.grace = within(silence.dividedBy(10), MIN_GRACE, MAX_GRACE);
		this.nanos = nanos;
		this.maxKeys = Math.min(MAX_KEYS, MAX_TIMES / times);
		this.others = new Counted(times);
		this.nextSweep = nanos.getAsLong();
	}

	private static Duration within(Duration time, Duration min, Duration max) {
		return (time.compareTo(min) < 0) ? min : (time.compareTo(max) > 0) ? max : time;
	}

	synchronized OptionalLong add(String key, Supplier<ToolAlert> alert) {
		long now = this.nanos.getAsLong();
		Counted counted = counted(key, now);
		if (!counted.isEnough(now, this.within)) {
			return OptionalLong.empty();
		}
		// Others may have made up the keys that are counted together.
		if (!counted.equals(this.others) && counted.isSilent(now)) {
			if (counted.silenced == 0) {
				counted.first = alert.get();
				this.keepingBack++;
			}
			counted.silenced++;
			return OptionalLong.empty();
		}
		long silenced = counted.silenced;
		reset(counted);
		counted.alerted = true;
		counted.silentUntil = now + this.silence;
		return OptionalLong.of(silenced);
	}

	private void reset(Counted counted) {
		this.keepingBack -= (counted.silenced > 0) ? 1 : 0;
		counted.silenced = 0;
		counted.first = null;
	}

	/**
	 * The alerts that tell how many were kept back in silences that are over, where no
	 * other alert seems to come that would.
	 */
	synchronized List<ToolAlert> takeSummaries(Instant at) {
		List<ToolAlert> summaries = new ArrayList<>();
		long now = this.nanos.getAsLong();
		for (Counted counted : this.keys.values()) {
			ToolAlert first = counted.first;
			if (first != null && now - counted.silentUntil >= this.grace.toNanos()) {
				summaries.add(first.summary(at, counted.silenced));
				reset(counted);
			}
		}
		return summaries;
	}

	synchronized boolean isKeepingBack() {
		return this.keepingBack > 0;
	}

	/** The time after a silence, and the interval, of looking for what it kept back. */
	Duration grace() {
		return this.grace;
	}

	private Counted counted(String key, long now) {
		Counted known = this.keys.get(key);
		if (known != null) {
			return known;
		}
		if (this.keys.size() >= this.maxKeys) {
			sweep(now);
		}
		if (this.keys.size() >= this.maxKeys) {
			this.warnings.warn("Hook '%s': %d keys are counted for alerts; calls of all others are counted together"
				.formatted(this.name, this.maxKeys));
			return this.others;
		}
		Counted made = new Counted(this.times);
		this.keys.put(key, made);
		return made;
	}

	private void sweep(long now) {
		if (now - this.nextSweep >= 0) {
			this.nextSweep = now + SWEEP_PAUSE;
			this.keys.values().removeIf((counted) -> counted.isOver(now, this.within));
		}
	}

	synchronized int size() {
		return this.keys.size();
	}

	private static final class Counted {

		/** The next one takes the place of the oldest. */
		private final long[] calls;

		private int next;

		private int known;

		private boolean alerted;

		private long silentUntil;

		private long silenced;

		/** About the first call of which an alert was kept back. */
		private @Nullable ToolAlert first;

		Counted(int times) {
			this.calls = new long[times];
		}

		/** Add a call, and begin anew if there are enough. */
		boolean isEnough(long now, long within) {
			this.calls[this.next] = now;
			this.next = (this.next + 1) % this.calls.length;
			this.known = Math.min(this.known + 1, this.calls.length);
			// With all places taken, the next one holds the oldest.
			if (this.known < this.calls.length || now - this.calls[this.next] > within) {
				return false;
			}
			this.known = 0;
			return true;
		}

		boolean isSilent(long now) {
			return this.alerted && now - this.silentUntil < 0;
		}

		boolean isOver(long now, long within) {
			long last = this.calls[(this.next + this.calls.length - 1) % this.calls.length];
			return !isSilent(now) && this.silenced == 0 && (this.known == 0 || now - last > within);
		}

	}

}
