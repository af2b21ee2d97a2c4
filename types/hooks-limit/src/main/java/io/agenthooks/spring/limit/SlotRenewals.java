package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.state.Deadline;
import io.agenthooks.spring.state.StoreWatch;

final class SlotRenewals {

	/** Others wait for a renewal, so it takes no more than such a part of the lease. */
	private static final int RENEWAL_PART = 12;

	/** For a key of very many, in nanoseconds. */
	private static final long MIN_SHARE = 1_000_000;

	private static final Logger logger = LoggerFactory.getLogger(SlotRenewals.class);

	private final Leases leases;

	private final Duration lease;

	private final long pause;

	private final LongSupplier nanoTime;

	private final StoreWatch watch;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final AtomicLong tries = new AtomicLong();

	/** The pause between renewals is in milliseconds. */
	SlotRenewals(Leases leases, Duration lease, long pause, LongSupplier nanoTime, StoreWatch watch) {
		this.leases = leases;
		this.lease = lease;
		this.pause = pause;
		this.nanoTime = nanoTime;
		this.watch = watch;
	}

	static Duration renewal(Duration lease) {
		return lease.dividedBy(RENEWAL_PART);
	}

	/**
	 * A failure keeps no other place from being renewed: the first key that fails is
	 * waited for, all others are asked for an answer at once. Those that gave none are
	 * waited for at the end, what has waited longest first. If a place fails, those of
	 * its key, which the store keeps together, are left for the next time.
	 */
	void renew(Set<Leased> open) {
		long start = this.nanoTime.getAsLong();
		Set<String> failed = new HashSet<>();
		Map<String, List<Leased>> busy = new LinkedHashMap<>();
		Map<String, List<Leased>> keys = inOrder(open);
		int left = keys.size();
		long end = 0;
		for (Map.Entry<String, List<Leased>> key : keys.entrySet()) {
			if (failed.isEmpty()) {
				if (!key.getValue().stream().allMatch(this::renewed)) {
					failed.add(key.getKey());
					end = this.nanoTime.getAsLong() + nanos(this.pause) / 4;
				}
			}
			else {
				Duration share = Duration.ofNanos(Math.max(MIN_SHARE, (end - this.nanoTime.getAsLong()) / left));
				if (!key.getValue().stream().allMatch((slot) -> renewedAtOnce(slot, share))) {
					busy.put(key.getKey(), key.getValue());
				}
			}
			left--;
		}
		busy.forEach((key, slots) -> {
			boolean isLate = this.nanoTime.getAsLong() - start > nanos(this.pause) / 2;
			if (isLate || !slots.stream().allMatch(this::renewed)) {
				failed.add(key);
			}
		});
		open.stream().filter((slot) -> failed.contains(slot.key)).forEach((slot) -> slot.failed = true);
	}

	/** The last ones are those that failed. */
	private Map<String, List<Leased>> inOrder(Set<Leased> open) {
		Map<String, List<Leased>> all = open.stream().collect(Collectors.groupingBy((slot) -> slot.key));
		// They change while others are sorted.
		Map<String, Long> tried = new HashMap<>();
		all.forEach((key, slots) -> tried.put(key,
				slots.stream().mapToLong((slot) -> (slot.failed) ? slot.triedAt : -1).max().orElse(-1)));
		Map<String, List<Leased>> inOrder = new LinkedHashMap<>();
		all.keySet()
			.stream()
			.sorted(Comparator.comparing(tried::get))
			.forEach((key) -> inOrder.put(key, Objects.requireNonNull(all.get(key))));
		return inOrder;
	}

	private boolean renewed(Leased slot) {
		// So that what was left is not entered again.
		synchronized (slot) {
			if (isDue(slot)) {
				boolean worked = worked(() -> renewWithin(slot, renewal(this.lease)));
				slot.failed = !worked;
				slot.triedAt = this.tries.incrementAndGet();
			}
			return !slot.failed;
		}
	}

	/**
	 * If it is due and the store is quick. If not, it may only be busy, so nobody is
	 * told.
	 */
	private boolean renewedAtOnce(Leased slot, Duration time) {
		synchronized (slot) {
			if (isDue(slot)) {
				try {
					renewWithin(slot, time);
					slot.failed = false;
				}
				catch (RuntimeException | LinkageError ex) {
					return false;
				}
			}
			return true;
		}
	}

	private boolean isDue(Leased slot) {
		return !slot.left && (slot.failed || this.nanoTime.getAsLong() - slot.renewedAt >= nanos(this.pause) / 2);
	}

	private void renewWithin(Leased slot, Duration time) {
		long now = this.nanoTime.getAsLong();
		boolean unused = Deadline.within(time, () -> {
			this.leases.renew(slot.key, slot.id);
			return true;
		});
		slot.renewedAt = now;
	}

	private static long nanos(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	void giveBack(Set<Leased> lost, Runnable whenGiven) {
		for (Leased slot : List.copyOf(lost)) {
			boolean over = slot.isLate(this.nanoTime.getAsLong(), this.lease);
			if (!over && !worked(() -> this.leases.leave(slot.key, slot.id))) {
				return;
			}
			lost.remove(slot);
			whenGiven.run();
		}
	}

	private boolean worked(Runnable use) {
		try {
			this.watch.run(use);
			return true;
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings.warn("Places of calls could not be renewed or given back: " + ex.getClass().getName());
			return false;
		}
	}

	static final class Leased implements Slots.Slot {

		private final String key;

		private final String id;

		/** As far as is known. */
		private volatile long renewedAt;

		private volatile boolean failed;

		/** The number that were tried before, if that failed. */
		private volatile long triedAt;

		/** Guarded by this. */
		private boolean left;

		Leased(String key, String id, long now) {
			this.key = key;
			this.id = id;
			this.renewedAt = now;
		}

		String key() {
			return this.key;
		}

		String id() {
			return this.id;
		}

		boolean isFailed() {
			return this.failed;
		}

		boolean isLate(long now, Duration lease) {
			return now - this.renewedAt > lease.toNanos();
		}

		/** It is not renewed then. Only the first time counts. */
		synchronized boolean leave() {
			boolean first = !this.left;
			this.left = true;
			return first;
		}

	}

}
