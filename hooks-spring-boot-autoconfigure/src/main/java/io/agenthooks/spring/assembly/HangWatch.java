package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.threads.HooksThreads;

/**
 * Interrupts what runs too long on the thread of a call. One thread looks at all others
 * from time to time, so that what returns in time neither reads a clock nor changes its
 * thread.
 * <p>
 * What runs inside of something that is watched is watched with it. After
 * {@link #close()} only what runs then is still watched.
 */
final class HangWatch implements AutoCloseable {

	private static final long MIN_TICK = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long MAX_TICK = TimeUnit.MILLISECONDS.toNanos(250);

	/** The looks within the shortest time. */
	private static final int TICKS = 8;

	@SuppressWarnings("ThreadLocalUsage") // there is one watch in an application
	private final ThreadLocal<@Nullable Slot> ofThread = new ThreadLocal<>();

	private final Set<Slot> slots = ConcurrentHashMap.newKeySet();

	private volatile long tick = MAX_TICK;

	private @Nullable Thread watcher;

	private volatile boolean closed;

	void run(Watched watched, Runnable work) {
		Slot slot = this.ofThread.get();
		if (slot == null) {
			slot = enter();
		}
		if (!slot.begin(watched)) {
			work.run();
			return;
		}
		try {
			work.run();
		}
		catch (Throwable ex) {
			if (slot.end()) {
				throw ex;
			}
			throw watched.endedLate(ex);
		}
		if (!slot.end()) {
			throw watched.endedLate(null);
		}
	}

	/** Look often enough for something that may take some time. */
	synchronized void prepareFor(Duration timeout) {
		this.tick = Math.max(MIN_TICK, Math.min(this.tick, timeout.toNanos() / TICKS));
	}

	private Slot enter() {
		Slot slot = new Slot(Thread.currentThread());
		this.ofThread.set(slot);
		this.slots.add(slot);
		synchronized (this) {
			if (this.watcher == null && !this.closed) {
				this.watcher = HooksThreads.start("hook-watch", this::watch);
			}
		}
		return slot;
	}

	private void watch() {
		boolean busy = true;
		while (busy || !this.closed) {
			LockSupport.parkNanos(this, this.tick);
			try {
				busy = look(System.nanoTime());
			}
			catch (Throwable ex) {
				// What logs or counts may throw, also errors, and all bounds would be
				// gone.
				busy = true;
			}
		}
	}

	private boolean look(long now) {
		boolean busy = false;
		for (Slot slot : this.slots) {
			busy |= slot.look(now);
		}
		this.slots.removeIf((slot) -> !slot.thread.isAlive());
		return busy;
	}

	@Override
	public void close() {
		this.closed = true;
	}

	/** The work that is watched, whichever thread it runs on. */
	interface Watched {

		/** The time that it may take, in nanoseconds. */
		long nanos();

		/** It took too long on a thread, which is interrupted now. */
		void interrupted();

		/** It goes on although the thread was interrupted. */
		void ignored(StackTraceElement[] stack);

		/**
		 * It ended after it was interrupted. The failure is {@code null} if it threw
		 * nothing.
		 */
		RuntimeException endedLate(@Nullable Throwable failure);

	}

	/**
	 * The work on one thread, one thing after the other. Whoever ends it and whoever
	 * interrupts it hold the lock, so no interrupt comes after the end.
	 */
	private static final class Slot {

		private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

		private final Thread thread;

		/** The work that runs, or {@code null}. */
		private @Nullable Watched watched;

		/** Whether the watch has seen it, and so knows when its time is over. */
		private boolean seen;

		private long due;

		private int interrupts;

		/** Whether the thread had been interrupted by another before. */
		private boolean interruptedBefore;

		Slot(Thread thread) {
			this.thread = thread;
		}

		synchronized boolean begin(Watched watched) {
			if (this.watched != null) {
				return false;
			}
			this.watched = watched;
			this.seen = false;
			this.interrupts = 0;
			return true;
		}

		/** Two interrupts are one, so another one of the meantime is lost with ours. */
		synchronized boolean end() {
			this.watched = null;
			if (this.interrupts == 0) {
				return true;
			}
			if (Thread.interrupted() && this.interruptedBefore) {
				this.thread.interrupt();
			}
			return false;
		}

		/** Of the watch: interrupt what is due, again and again. */
		synchronized boolean look(long now) {
			Watched watched = this.watched;
			if (watched == null) {
				return false;
			}
			if (!this.seen) {
				this.seen = true;
				this.due = now + watched.nanos();
			}
			else if (now - this.due >= 0) {
				interrupt(watched, now);
			}
			return true;
		}

		private void interrupt(Watched watched, long now) {
			this.interrupts++;
			this.due = now + ((this.interrupts == 1) ? Math.min(GRACE, watched.nanos()) : watched.nanos());
			if (this.interrupts == 1) {
				this.interruptedBefore = this.thread.isInterrupted();
			}
			try {
				if (this.interrupts == 1) {
					watched.interrupted();
				}
				else if (this.interrupts == 2) {
					watched.ignored(this.thread.getStackTrace());
				}
			}
			finally {
				this.thread.interrupt();
			}
		}

	}

}
