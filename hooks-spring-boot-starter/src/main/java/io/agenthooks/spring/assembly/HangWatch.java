package io.agenthooks.spring.assembly;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts what runs too long on the thread of a call. One thread looks at all others
 * from time to time, so that what returns in time neither reads a clock nor changes its
 * thread: to begin and to end costs one plain write each.
 * <p>
 * What runs inside of something that is watched is watched with it. After
 * {@link #close()} only what runs then is still watched.
 */
final class HangWatch implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(HangWatch.class);

	private static final long MIN_TICK = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long MAX_TICK = TimeUnit.MILLISECONDS.toNanos(250);

	/** How many times it looks within the shortest time. */
	private static final int TICKS = 8;

	@SuppressWarnings("ThreadLocalUsage") // there is one watch in an application
	private final ThreadLocal<@Nullable Slot> ofThread = new ThreadLocal<>();

	private final Set<Slot> slots = ConcurrentHashMap.newKeySet();

	private volatile long tick = MAX_TICK;

	private @Nullable Thread watcher;

	private volatile boolean closed;

	/**
	 * Run something on this thread.
	 * @param <A> the type of the one thing that it gets
	 * @param <B> the type of the other
	 * @throws RuntimeException what is {@linkplain Watched#endedLate said} if it was
	 * interrupted because it took too long
	 */
	<A, B> void run(Watched watched, BiFunction<A, B, ?> work, A one, B other) {
		Slot slot = this.ofThread.get();
		if (slot == null) {
			slot = enter();
		}
		else if (slot.isActive()) {
			@Nullable Object unused = work.apply(one, other);
			return;
		}
		long turn = slot.begin(watched);
		try {
			@Nullable Object unused = work.apply(one, other);
		}
		catch (Throwable ex) {
			if (slot.end(turn)) {
				throw ex;
			}
			throw watched.endedLate(ex);
		}
		if (!slot.end(turn)) {
			throw watched.endedLate(null);
		}
	}

	/**
	 * Look often enough for something that may take some time.
	 */
	synchronized void prepareFor(Duration timeout) {
		this.tick = Math.max(MIN_TICK, Math.min(this.tick, timeout.toNanos() / TICKS));
	}

	private Slot enter() {
		Slot slot = new Slot(Thread.currentThread());
		this.ofThread.set(slot);
		this.slots.add(slot);
		synchronized (this) {
			if (this.watcher == null && !this.closed) {
				// Without what the thread of some call would bequeath, such as its user.
				Thread thread = new Thread(null, this::watch, "hook-watch", 0, false);
				thread.setDaemon(true);
				thread.setContextClassLoader(null);
				thread.start();
				this.watcher = thread;
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
			catch (RuntimeException ex) {
				// What logs or counts may throw, and all bounds would be gone.
				logger.debug("The watch over hooks failed", ex);
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
		// A thread keeps its slot, which must not keep all of a closed application.
		this.slots.forEach(Slot::forget);
	}

	/**
	 * What is watched, whichever thread it runs on.
	 */
	interface Watched {

		/**
		 * How long it may take, in nanoseconds.
		 */
		long nanos();

		/**
		 * It took too long on a thread, which is interrupted now.
		 */
		void interrupted();

		/**
		 * It goes on although the thread was interrupted.
		 * @param stack where
		 */
		void ignored(StackTraceElement[] stack);

		/**
		 * It ended after it was interrupted.
		 * @param failure what it threw, or {@code null}
		 * @return what is thrown in place of that
		 */
		RuntimeException endedLate(@Nullable Throwable failure);

	}

	/**
	 * What runs on one thread, one turn after the other.
	 * <p>
	 * The thread says that a turn is over, and then looks whether the watch wants to
	 * interrupt it, without a fence between the two, for that would cost more than all
	 * else. The watch says so, <em>takes the stack of the thread</em>, and then looks
	 * whether the turn is over. To have its stack taken, a thread has to stop at a safe
	 * point, which is never between the two: so either the thread sees what the watch
	 * wants, or the watch sees that the turn is over.
	 */
	private static final class Slot {

		private static final VarHandle TURN;

		private static final VarHandle WANTED;

		static {
			try {
				TURN = MethodHandles.lookup().findVarHandle(Slot.class, "turn", long.class);
				WANTED = MethodHandles.lookup().findVarHandle(Slot.class, "wanted", long.class);
			}
			catch (ReflectiveOperationException ex) {
				throw new ExceptionInInitializerError(ex);
			}
		}

		private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

		private final Thread thread;

		/** The number of the turn; odd while it runs. */
		private volatile long turn;

		/** The turn that the watch wants to interrupt. */
		@SuppressWarnings("UnusedVariable") // read by its handle
		private volatile long wanted;

		/** Written before its turn begins. */
		private @Nullable Watched watched;

		// Guarded by this

		/** The turn that was interrupted last. */
		private long interrupted;

		/** Whether the thread had been interrupted by another before. */
		private boolean interruptedBefore;

		// What only the watch knows

		private long seen;

		private long due;

		private boolean ignored;

		Slot(Thread thread) {
			this.thread = thread;
		}

		/**
		 * Whether something runs, asked by this thread.
		 */
		boolean isActive() {
			return ((long) TURN.get(this) & 1) != 0;
		}

		void forget() {
			if ((this.turn & 1) == 0) {
				this.watched = null;
			}
		}

		long begin(Watched watched) {
			this.watched = watched;
			long turn = (long) TURN.get(this) + 1;
			TURN.setRelease(this, turn);
			return turn;
		}

		/**
		 * End a turn.
		 * @return whether it was in time
		 */
		boolean end(long turn) {
			TURN.setRelease(this, turn + 1);
			return (long) WANTED.getOpaque(this) != turn || !wasInterrupted(turn);
		}

		/**
		 * Whether the watch has interrupted a turn, and no longer does. Two interrupts
		 * are one, so another one of the meantime is lost with ours.
		 */
		private synchronized boolean wasInterrupted(long turn) {
			if (this.interrupted != turn) {
				return false;
			}
			if (Thread.interrupted() && this.interruptedBefore) {
				this.thread.interrupt();
			}
			return true;
		}

		/**
		 * Of the watch: interrupt what is due, again and again.
		 * @return whether something runs
		 */
		boolean look(long now) {
			long turn = this.turn;
			Watched watched = this.watched;
			if ((turn & 1) == 0 || watched == null) {
				return false;
			}
			if (turn != this.seen) {
				this.seen = turn;
				this.due = now + watched.nanos();
				this.ignored = false;
			}
			else if (now - this.due >= 0) {
				interrupt(turn, watched, now);
			}
			return true;
		}

		private void interrupt(long turn, Watched watched, long now) {
			this.wanted = turn;
			StackTraceElement[] stack = this.thread.getStackTrace();
			synchronized (this) {
				if (this.turn != turn) {
					return;
				}
				boolean first = this.interrupted != turn;
				this.due = now + ((first) ? Math.min(GRACE, watched.nanos()) : watched.nanos());
				if (first) {
					this.interrupted = turn;
					this.interruptedBefore = this.thread.isInterrupted();
					watched.interrupted();
				}
				else if (!this.ignored) {
					this.ignored = true;
					watched.ignored(stack);
				}
				this.thread.interrupt();
			}
		}

	}

}
