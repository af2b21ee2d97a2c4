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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.state.Deadline;
import io.agenthooks.spring.state.StoreWatch;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * The calls that run at the same time on all nodes. While a call runs, its lease is
 * renewed before it ends, also after the hook was closed. A call that waits asks again
 * and again, at once if another one of this node has ended, and otherwise less and less
 * often.
 */
final class SharedSlots implements Slots {

	/** The time for which the calls of a node that was killed keep their places. */
	static final Duration LEASE = Duration.ofMinutes(1);

	/**
	 * The time for which places are renewed of calls that run on after the hook was
	 * closed.
	 */
	static final Duration FAREWELL = Duration.ofMinutes(10);

	private static final String THREAD = "hooks-limit-leases";

	private static final long FIRST_PAUSE = 5;

	/** In milliseconds, as the first one. */
	private static final long LONGEST_PAUSE = 250;

	private static final int RENEWALS = 3;

	/** Others wait for a renewal, so it takes no more than such a part of the lease. */
	private static final int RENEWAL_PART = 12;

	/** The least wait for a key of very many, in nanoseconds. */
	private static final long MIN_SHARE = 1_000_000;

	/** The wait before a failed renewal is tried again, in milliseconds. */
	private static final long RETRY = 1_000;

	/** Each of them ends by itself after a lease. */
	private static final int MAX_LOST = 10_000;

	private static final Logger logger = LoggerFactory.getLogger(SharedSlots.class);

	private final Leases leases;

	private final Duration lease;

	private final long pause;

	private final LongSupplier nanoTime;

	private final StoreWatch watch = new StoreWatch();

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final Set<Leased> open = ConcurrentHashMap.newKeySet();

	/** Places that nobody has, but that the store may still keep. */
	private final Set<Leased> lost = ConcurrentHashMap.newKeySet();

	private final AtomicLong tries = new AtomicLong();

	private final Object ended = new Object();

	/** There is a thread only while there is something to renew. */
	private final ScheduledThreadPoolExecutor renewer = HooksThreads.timer(THREAD);

	/** Guarded by the renewer, as what follows. */
	private @Nullable ScheduledFuture<?> next;

	private long closedAt;

	private volatile boolean closed;

	SharedSlots(Leases leases, Duration lease) {
		this(leases, lease, System::nanoTime);
	}

	/** The clock tells how old places are, in nanoseconds since whenever. */
	SharedSlots(Leases leases, Duration lease, LongSupplier nanoTime) {
		this.leases = leases;
		this.lease = lease;
		this.pause = Math.max(1, lease.toMillis() / RENEWALS);
		this.nanoTime = nanoTime;
	}

	/** The longest wait for one renewal. */
	static Duration renewal(Duration lease) {
		return lease.dividedBy(RENEWAL_PART);
	}

	@Override
	public @Nullable Slot enter(String key, Duration wait) throws InterruptedException {
		long start = System.nanoTime();
		long pause = FIRST_PAUSE;
		while (!this.closed) {
			Leased slot = new Leased(key, SharedLimits.newId(), this.nanoTime.getAsLong());
			if (entered(slot)) {
				return opened(slot) ? slot : null;
			}
			long left = TimeUnit.NANOSECONDS.toMillis(wait.toNanos() - (System.nanoTime() - start));
			if (left <= 0) {
				return null;
			}
			synchronized (this.ended) {
				this.ended.wait(Math.min(left, 1 + ThreadLocalRandom.current().nextLong(pause)));
			}
			pause = Math.min(LONGEST_PAUSE, 2 * pause);
		}
		return null;
	}

	private boolean entered(Leased slot) {
		boolean answered = false;
		try {
			boolean entered = this.watch.use(() -> this.leases.enter(slot.key, slot.id));
			answered = true;
			return entered;
		}
		finally {
			if (!answered) {
				// The store may have let it in before the connection broke.
				lose(slot);
			}
		}
	}

	private boolean opened(Leased slot) {
		synchronized (this.renewer) {
			if (!this.closed) {
				this.open.add(slot);
				schedule(this.pause);
				return true;
			}
		}
		leave(slot);
		return false;
	}

	@Override
	public void leave(Slot slot) {
		Leased left = (Leased) slot;
		synchronized (left) {
			if (left.left) {
				return;
			}
			left.left = true;
		}
		boolean answered = false;
		try {
			this.watch.run(() -> this.leases.leave(left.key, left.id));
			answered = true;
		}
		finally {
			if (!answered) {
				lose(left);
			}
			this.open.remove(left);
			endIfOver();
			wakeUp();
		}
	}

	private void wakeUp() {
		synchronized (this.ended) {
			this.ended.notifyAll();
		}
	}

	@Override
	public boolean hasRoom(String key) {
		return !this.closed && this.watch.use(() -> this.leases.hasRoom(key));
	}

	private void lose(Leased slot) {
		if (this.lost.size() < MAX_LOST) {
			this.lost.add(slot);
			synchronized (this.renewer) {
				schedule(RETRY);
			}
		}
	}

	/**
	 * Renew soon, unless that is going to happen sooner. While it happens, it is seen to
	 * at its end.
	 */
	private void schedule(long millis) {
		ScheduledFuture<?> before = this.next;
		if (this.renewer.isShutdown() || (before != null && before.getDelay(TimeUnit.MILLISECONDS) <= millis)) {
			return;
		}
		if (before != null) {
			before.cancel(false);
		}
		this.next = this.renewer.schedule(this::renewAndGoOn, millis, TimeUnit.MILLISECONDS);
	}

	private void renewAndGoOn() {
		try {
			renew();
		}
		finally {
			synchronized (this.renewer) {
				this.next = null;
				endIfOver();
				if (!this.open.isEmpty() || !this.lost.isEmpty()) {
					boolean failed = !this.lost.isEmpty() || this.open.stream().anyMatch((slot) -> slot.failed);
					schedule((failed) ? Math.min(RETRY, this.pause) : this.pause);
				}
			}
		}
	}

	/**
	 * Renew the places of calls that run. What fails keeps no other place from being
	 * renewed: the first key that fails is waited for. All others are then asked for an
	 * answer at once, within one time for all of them. Those that gave none are waited
	 * for at the end, as long as there is time, what has waited longest first. If a place
	 * cannot be renewed, those of the same key are left for the next time, since the
	 * store keeps them together.
	 */
	void renew() {
		long start = this.nanoTime.getAsLong();
		Set<String> failed = new HashSet<>();
		Map<String, List<Leased>> busy = new LinkedHashMap<>();
		Map<String, List<Leased>> keys = inOrder();
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
		this.open.stream().filter((slot) -> failed.contains(slot.key)).forEach((slot) -> slot.failed = true);
		giveBackLost();
	}

	/** The places of each key. Those that failed are the last ones. */
	private Map<String, List<Leased>> inOrder() {
		Map<String, List<Leased>> all = this.open.stream().collect(Collectors.groupingBy((slot) -> slot.key));
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
	 * Renew a place, if it is due and the store is quick. If not, it may only be busy, so
	 * nobody is told.
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

	private void giveBackLost() {
		for (Leased slot : List.copyOf(this.lost)) {
			boolean over = this.nanoTime.getAsLong() - slot.renewedAt > this.lease.toNanos();
			if (!over && !worked(() -> this.leases.leave(slot.key, slot.id))) {
				return;
			}
			this.lost.remove(slot);
			wakeUp();
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

	int running() {
		return this.open.size();
	}

	@Override
	public HookHealth.Report health() {
		long now = this.nanoTime.getAsLong();
		long late = this.open.stream().filter((slot) -> now - slot.renewedAt > this.lease.toNanos()).count();
		return (late > 0) ? this.watch.down("calls run whose places could not be renewed in time")
				: this.watch.health();
	}

	@Override
	public boolean isClosed() {
		return this.closed;
	}

	/**
	 * No call begins any more. Those that run keep their places until they end, or for
	 * {@link #FAREWELL} at most.
	 */
	@Override
	public void close() {
		synchronized (this.renewer) {
			if (!this.closed) {
				this.closedAt = this.nanoTime.getAsLong();
				this.closed = true;
			}
			endIfOver();
		}
		wakeUp();
	}

	private void endIfOver() {
		synchronized (this.renewer) {
			if (this.closed && ((this.open.isEmpty() && this.lost.isEmpty())
					|| this.nanoTime.getAsLong() - this.closedAt > FAREWELL.toNanos())) {
				this.renewer.shutdownNow();
			}
		}
	}

	boolean isOver() {
		return this.renewer.isShutdown();
	}

	/** The place of a call. */
	private static final class Leased implements Slot {

		private final String key;

		private final String id;

		/** The begin of its lease, as far as is known. */
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

	}

}
