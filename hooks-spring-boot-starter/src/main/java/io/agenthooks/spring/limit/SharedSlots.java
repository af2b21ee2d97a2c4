package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.HookHealth;

/**
 * Who runs at the same time on all nodes. While a call runs, its lease is renewed three
 * times before it ends. A call that waits asks again and again, at once if another one of
 * this node has ended, and otherwise less and less often.
 */
final class SharedSlots implements Slots {

	/** How long the calls of a node that was killed keep their places. */
	static final Duration LEASE = Duration.ofMinutes(1);

	private static final long FIRST_PAUSE = 5;

	/** In milliseconds, as the first one. */
	private static final long LONGEST_PAUSE = 250;

	private static final int RENEWALS = 3;

	private static final Logger logger = LoggerFactory.getLogger(SharedSlots.class);

	private final Leases leases;

	private final StoreWatch watch = new StoreWatch();

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final Set<Leased> open = ConcurrentHashMap.newKeySet();

	private final Object ended = new Object();

	private final ScheduledExecutorService renewer;

	/**
	 * Create slots.
	 * @param lease how long a place is kept that is not renewed
	 */
	SharedSlots(Leases leases, Duration lease) {
		this.leases = leases;
		this.renewer = Executors.newSingleThreadScheduledExecutor((work) -> {
			Thread thread = new Thread(work, "hooks-limit-leases");
			thread.setDaemon(true);
			return thread;
		});
		long pause = Math.max(1, lease.toMillis() / RENEWALS);
		ScheduledFuture<?> unused = this.renewer.scheduleWithFixedDelay(this::renew, pause, pause,
				TimeUnit.MILLISECONDS);
	}

	@Override
	public @Nullable Slot enter(String key, Duration wait) throws InterruptedException {
		Leased slot = new Leased(key, SharedLimits.newId());
		long start = System.nanoTime();
		long pause = FIRST_PAUSE;
		while (!this.watch.use(() -> this.leases.enter(slot.key, slot.id))) {
			long left = TimeUnit.NANOSECONDS.toMillis(wait.toNanos() - (System.nanoTime() - start));
			if (left <= 0) {
				return null;
			}
			synchronized (this.ended) {
				this.ended.wait(Math.min(left, 1 + ThreadLocalRandom.current().nextLong(pause)));
			}
			pause = Math.min(LONGEST_PAUSE, 2 * pause);
		}
		this.open.add(slot);
		return slot;
	}

	@Override
	public void leave(Slot slot) {
		Leased left = (Leased) slot;
		this.open.remove(left);
		synchronized (left) {
			if (left.left) {
				return;
			}
			left.left = true;
		}
		try {
			this.watch.run(() -> this.leases.leave(left.key, left.id));
		}
		finally {
			synchronized (this.ended) {
				this.ended.notifyAll();
			}
		}
	}

	@Override
	public boolean hasRoom(String key) {
		return this.watch.use(() -> this.leases.hasRoom(key));
	}

	private void renew() {
		try {
			for (Leased slot : this.open) {
				// So that what was left is not entered again.
				synchronized (slot) {
					if (!slot.left) {
						this.watch.run(() -> this.leases.renew(slot.key, slot.id));
					}
				}
			}
		}
		catch (RuntimeException ex) {
			this.warnings.warn("The places of calls that run could not be renewed: " + ex.getClass().getName());
		}
	}

	/**
	 * How many calls of this node run.
	 */
	int running() {
		return this.open.size();
	}

	@Override
	public HookHealth.Report health() {
		return this.watch.health();
	}

	@Override
	public void close() {
		this.renewer.shutdownNow();
	}

	/**
	 * The place of a call.
	 */
	private static final class Leased implements Slot {

		private final String key;

		private final String id;

		/** Guarded by this. */
		private boolean left;

		Leased(String key, String id) {
			this.key = key;
			this.id = id;
		}

	}

}
