package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.limit.SlotRenewals.Leased;
import io.agenthooks.spring.state.StoreWatch;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * Leases are renewed before they end, also after the hook was closed. A call that waits
 * asks at once if another one of this node has ended, and otherwise less and less often.
 */
final class SharedSlots implements Slots {

	/** So long the calls of a node that was killed keep their places. */
	static final Duration LEASE = Duration.ofMinutes(1);

	/** So long places are renewed after the hook was closed. */
	static final Duration FAREWELL = Duration.ofMinutes(10);

	private static final String THREAD = "hooks-limit-leases";

	private static final long FIRST_PAUSE = 5;

	/** In milliseconds, as the first one. */
	private static final long LONGEST_PAUSE = 250;

	private static final int RENEWALS = 3;

	/** In milliseconds, after a failure. */
	private static final long RETRY = 1_000;

	/** Each of them ends by itself after a lease. */
	private static final int MAX_LOST = 10_000;

	private final Leases leases;

	private final Duration lease;

	private final long pause;

	private final LongSupplier nanoTime;

	private final StoreWatch watch = new StoreWatch();

	private final SlotRenewals renewals;

	private final Set<Leased> open = ConcurrentHashMap.newKeySet();

	/** Places that nobody has, but that the store may still keep. */
	private final Set<Leased> lost = ConcurrentHashMap.newKeySet();

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

	/** The clock is in nanoseconds. */
	SharedSlots(Leases leases, Duration lease, LongSupplier nanoTime) {
		this.leases = leases;
		this.lease = lease;
		this.pause = Math.max(1, lease.toMillis() / RENEWALS);
		this.nanoTime = nanoTime;
		this.renewals = new SlotRenewals(leases, lease, this.pause, nanoTime, this.watch);
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
			boolean entered = this.watch.use(() -> this.leases.enter(slot.key(), slot.id()));
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
		if (!left.leave()) {
			return;
		}
		boolean answered = false;
		try {
			this.watch.run(() -> this.leases.leave(left.key(), left.id()));
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
	 * Unless that is going to happen sooner. While it happens, it is seen to at its end.
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
					boolean failed = !this.lost.isEmpty() || this.open.stream().anyMatch((slot) -> slot.isFailed());
					schedule((failed) ? Math.min(RETRY, this.pause) : this.pause);
				}
			}
		}
	}

	void renew() {
		this.renewals.renew(this.open);
		this.renewals.giveBack(this.lost, this::wakeUp);
	}

	int running() {
		return this.open.size();
	}

	@Override
	public HookHealth.Report health() {
		long now = this.nanoTime.getAsLong();
		long late = this.open.stream().filter((slot) -> slot.isLate(now, this.lease)).count();
		return (late > 0) ? this.watch.down("calls run whose places could not be renewed in time")
				: this.watch.health();
	}

	@Override
	public boolean isClosed() {
		return this.closed;
	}

	/**
	 * Calls that run keep their places until they end, or for {@link #FAREWELL} at most.
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

}
