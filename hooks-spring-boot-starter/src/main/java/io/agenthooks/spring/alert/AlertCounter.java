package io.agenthooks.spring.alert;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;

/**
 * Says when there is an alert: if there were so many calls of a key within a time, and no
 * alert of the key lately. After each alert, sent or silenced, the calls of the key are
 * counted anew.
 * <p>
 * With too many keys, further ones are counted together. So whoever makes up keys cannot
 * make an alert stay away.
 */
final class AlertCounter {

	private static final Logger logger = LoggerFactory.getLogger(AlertCounter.class);

	private static final int MAX_KEYS = 10_000;

	/** Times that are kept in all, of all keys. */
	private static final int MAX_TIMES = 1_000_000;

	/** So that a counter that is full is not searched for each call. */
	private static final long SWEEP_PAUSE = Duration.ofSeconds(1).toNanos();

	private final String name;

	private final int times;

	private final long within;

	private final long silence;

	private final LongSupplier nanos;

	private final int maxKeys;

	private final Map<String, Counted> keys = new HashMap<>();

	private final Counted others;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private long nextSweep;

	/**
	 * Create a counter.
	 * @param name the name of the hook
	 * @param times how many calls make an alert
	 * @param within the time within which there have to be so many
	 * @param silence the time after an alert in which there is no other one
	 * @param nanos tells the time in nanoseconds
	 */
	AlertCounter(String name, int times, Duration within, Duration silence, LongSupplier nanos) {
		this.name = name;
		this.times = times;
		this.within = within.toNanos();
		this.silence = silence.toNanos();
		this.nanos = nanos;
		this.maxKeys = Math.min(MAX_KEYS, MAX_TIMES / times);
		this.others = new Counted(times);
		this.nextSweep = nanos.getAsLong();
	}

	/**
	 * Count a call.
	 * @param key its key
	 * @return if there is an alert now, the number of alerts of the key that were
	 * silenced since the last one
	 */
	synchronized OptionalLong add(String key) {
		long now = this.nanos.getAsLong();
		Counted counted = counted(key, now);
		if (!counted.isEnough(now, this.within)) {
			return OptionalLong.empty();
		}
		// Others may have made up the keys that are counted together.
		if (!counted.equals(this.others) && counted.isSilent(now)) {
			counted.silenced++;
			return OptionalLong.empty();
		}
		long silenced = counted.silenced;
		counted.silenced = 0;
		counted.alerted = true;
		counted.silentUntil = now + this.silence;
		return OptionalLong.of(silenced);
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

	/**
	 * Forget the keys of which there is nothing to remember.
	 */
	private void sweep(long now) {
		if (now - this.nextSweep >= 0) {
			this.nextSweep = now + SWEEP_PAUSE;
			this.keys.values().removeIf((counted) -> counted.isOver(now, this.within));
		}
	}

	/**
	 * How many keys are kept.
	 */
	synchronized int size() {
		return this.keys.size();
	}

	/**
	 * The last calls of a key.
	 */
	private static final class Counted {

		/** When the last calls were; the next one takes the place of the oldest. */
		private final long[] calls;

		private int next;

		private int known;

		private boolean alerted;

		private long silentUntil;

		private long silenced;

		Counted(int times) {
			this.calls = new long[times];
		}

		/**
		 * Add a call, and begin anew if there are enough.
		 */
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
			return !isSilent(now) && (this.known == 0 || now - last > within);
		}

	}

}
