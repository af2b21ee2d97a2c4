package io.agenthooks.spring.external;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;

/**
 * The health of a decider by the last attempt to ask it: down if that brought no verdict,
 * up if it did, and unknown if there was none lately. So a decider that nobody asks any
 * more is not down for ever. It is down, too, while most calls cannot ask it because
 * others do.
 *
 * @since 0.1.0
 */
public final class RecentOutcomes {

	static final Duration LATELY = Duration.ofMinutes(5);

	/**
	 * The number of answers without a verdict in a row that mean that a decider is down.
	 * One may be owed to the call: an agent can make one that is too large.
	 */
	public static final int REFUSALS = 3;

	/**
	 * Of how many calls it is remembered whether there was room for them. If there was
	 * none for most of them, a decider is down for those who call, however well it
	 * answers the others.
	 */
	public static final int CALLS = 20;

	static final Duration BUSY = Duration.ofMinutes(1);

	private static final String BUSY_CALLS = "busy_of_last_%d_calls".formatted(CALLS);

	private final LongSupplier nanoTime;

	private final AtomicReference<Room> room = new AtomicReference<>(new Room(0, 0));

	/** One value, so that who reads it sees a whole. */
	private volatile @Nullable Attempt last;

	public RecentOutcomes() {
		this(System::nanoTime);
	}

	/**
	 * Create outcomes.
	 * @param nanoTime tells the time, in nanoseconds since whenever
	 */
	public RecentOutcomes(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Note that there is room for a call: it is going to ask. */
	public void admitted() {
		if (room().lastCalls() != 0) {
			this.room.updateAndGet((before) -> before.next(false, before.lastBusy()));
		}
	}

	/** Note that there was no room for a call: it did not ask, as too many others do. */
	public void busy() {
		long now = this.nanoTime.getAsLong();
		this.room.updateAndGet((before) -> before.next(true, now));
	}

	public void answered() {
		this.last = new Attempt(this.nanoTime.getAsLong(), null, 0);
	}

	/**
	 * Note that there was none, since the decider is out of order.
	 * @param reason why, in words of ours
	 */
	public void failed(String reason) {
		this.last = new Attempt(this.nanoTime.getAsLong(), reason, REFUSALS);
	}

	/**
	 * Note that there was an answer, but no verdict.
	 * @param reason why, in words of ours
	 */
	public void refused(String reason) {
		Attempt before = this.last;
		this.last = new Attempt(this.nanoTime.getAsLong(), reason, (before != null) ? before.refusals() + 1 : 1);
	}

	public HookHealth.Report report(boolean failsOpen) {
		HookHealth.Report asked = reportOfLast(failsOpen);
		Room room = room();
		if (room.busyCalls() == 0 || this.nanoTime.getAsLong() - room.lastBusy() > BUSY.toNanos()) {
			return asked;
		}
		Map<String, Object> details = new LinkedHashMap<>(asked.details());
		details.put(BUSY_CALLS, room.busyCalls());
		return new HookHealth.Report((2 * room.busyCalls() > CALLS) ? HookHealth.State.DOWN : asked.state(), failsOpen,
				details);
	}

	private Room room() {
		return Objects.requireNonNull(this.room.get());
	}

	private HookHealth.Report reportOfLast(boolean failsOpen) {
		Attempt last = this.last;
		Map<String, Object> details = new LinkedHashMap<>();
		if (last == null) {
			return new HookHealth.Report(HookHealth.State.UNKNOWN, failsOpen, details);
		}
		Duration age = Duration.ofNanos(this.nanoTime.getAsLong() - last.time());
		details.put("asked_seconds_ago", age.toSeconds());
		if (last.failure() != null) {
			details.put("last_failure", last.failure());
		}
		if (age.compareTo(LATELY) > 0) {
			return new HookHealth.Report(HookHealth.State.UNKNOWN, failsOpen, details);
		}
		return new HookHealth.Report((last.refusals() >= REFUSALS) ? HookHealth.State.DOWN : HookHealth.State.UP,
				failsOpen, details);
	}

	/** Of the last calls, those for which there was room. */
	private record Room(int lastCalls, long lastBusy) {

		Room next(boolean busy, long lastBusy) {
			return new Room(((this.lastCalls << 1) | ((busy) ? 1 : 0)) & ((1 << CALLS) - 1), lastBusy);
		}

		int busyCalls() {
			return Integer.bitCount(this.lastCalls);
		}

	}

	/**
	 * The end of an attempt.
	 *
	 * @param failure why there was no verdict, or {@code null} if there was one
	 */
	private record Attempt(long time, @Nullable String failure, int refusals) {
	}

}
