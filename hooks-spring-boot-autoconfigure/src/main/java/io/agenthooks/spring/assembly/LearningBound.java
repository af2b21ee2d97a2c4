package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.HookDecision;
import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.HookAround;

/**
 * Bounds the time that a hook which only learns, or a listener, may hold a call. It stays
 * on the thread of the call, with all that is bound to that, such as a transaction, and
 * is interrupted when its time is over. What ignores interrupts is {@linkplain TimeLimit
 * left behind} on other threads from then on.
 * <p>
 * While a thread hangs in it, a call waits for it no longer than {@link #PATIENCE}, and
 * what takes longer goes on without the call. To wait the whole time would hold one call
 * after the other; not to wait at all would let a hook that is well again learn of calls
 * out of order, and after hooks that rely on what it learnt have decided about the next
 * call.
 */
final class LearningBound implements HookAround {

	private static final Logger logger = LoggerFactory.getLogger(LearningBound.class);

	static final Duration PATIENCE = Duration.ofMillis(100);

	/** The time after an interrupt when a hook counts as one that ignores it. */
	private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	/** Of their own, or the warning of the interrupt would hide them. */
	private final WarningThrottle failures = new WarningThrottle(logger);

	private final String who;

	private final Duration timeout;

	private final String setting;

	private final ScheduledExecutorService timer;

	private final TimeLimit onOtherThread;

	private final BoundCounts counts;

	/**
	 * Whether the timer wakes anyway before what is scheduled now is due. What comes
	 * behind that in its queue wakes no thread, which would cost more than many a hook.
	 */
	private final AtomicBoolean wakes = new AtomicBoolean();

	private volatile boolean ignoresInterrupts;

	LearningBound(String who, Duration timeout, String setting, ScheduledExecutorService timer, TimeLimit onOtherThread,
			BoundCounts counts) {
		this.who = who;
		this.timeout = timeout;
		this.setting = setting;
		this.timer = timer;
		this.onOtherThread = onOtherThread;
		this.counts = counts;
	}

	@Override
	public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook) {
		return hook.get();
	}

	@Override
	public void tell(Runnable hook) {
		if (this.ignoresInterrupts) {
			tellOnOtherThread(hook);
		}
		else {
			runInTime(hook);
		}
	}

	private void tellOnOtherThread(Runnable hook) {
		if (this.counts.abandonedThreads() == 0 || this.timeout.compareTo(PATIENCE) <= 0) {
			this.onOtherThread.tell(hook);
			return;
		}
		// Nobody waits for its end, so it is interrupted there, and counted.
		this.onOtherThread.tellWithin(PATIENCE, () -> runInTime(hook), this::late);
	}

	/** One that was interrupted has been told of then. */
	private void late(Throwable failure) {
		if (!(failure instanceof EndedLateException)) {
			logger.debug("{} failed", this.who, failure);
			this.failures.warn("%s failed with %s for a call that had gone on without it".formatted(this.who,
					failure.getClass().getName()));
		}
	}

	private void runInTime(Runnable hook) {
		Interrupts interrupts = new Interrupts();
		Future<?> due = schedule(interrupts);
		try {
			hook.run();
		}
		catch (Throwable ex) {
			if (interrupts.end(due) && !(ex instanceof VirtualMachineError)) {
				throw endedLate(ex);
			}
			throw ex;
		}
		if (interrupts.end(due)) {
			throw endedLate(null);
		}
	}

	/** Nothing is interrupted any more once the application has closed. */
	private @Nullable Future<?> schedule(Interrupts interrupts) {
		long nanos = this.timeout.toNanos();
		try {
			if (this.wakes.compareAndSet(false, true)) {
				Future<?> unused = this.timer.schedule(() -> this.wakes.set(false), nanos / 2, TimeUnit.NANOSECONDS);
			}
			return this.timer.scheduleWithFixedDelay(interrupts, nanos, Math.min(GRACE, nanos), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			return null;
		}
	}

	private void interrupted() {
		this.counts.timedOut();
		this.counts.hangs();
		this.warnings.warn("%s takes longer than %d ms and is interrupted, so that the call goes on ('%s')"
			.formatted(this.who, this.timeout.toMillis(), this.setting));
	}

	private void ignored(StackTraceElement[] stack) {
		if (this.ignoresInterrupts) {
			return;
		}
		this.ignoresInterrupts = true;
		Throwable hung = new Throwable("It hangs here");
		hung.setStackTrace(stack);
		logger.warn("{} ignores interrupts, and keeps calls waiting. "
				+ "From now on it runs on threads of its own, so that later calls go on. Let it end in time, such as by a "
				+ "timeout of its connection; a hook that has 'timeout' on its entry runs on such threads from the start.",
				this.who, hung);
	}

	private EndedLateException endedLate(@Nullable Throwable failure) {
		return new EndedLateException("%s did not end within %d ms".formatted(this.who, this.timeout.toMillis()),
				failure);
	}

	/**
	 * Interrupts what runs on this thread, again and again. Who ends and who interrupts
	 * it hold the lock, so no interrupt comes after the end.
	 */
	private final class Interrupts implements Runnable {

		private final Thread thread = Thread.currentThread();

		private int count;

		/** Whether another had interrupted the thread before. */
		private boolean interruptedBefore;

		private boolean ended;

		@Override
		public synchronized void run() {
			if (this.ended) {
				return;
			}
			this.count++;
			if (this.count == 1) {
				this.interruptedBefore = this.thread.isInterrupted();
			}
			StackTraceElement[] stack = (this.count == 2) ? this.thread.getStackTrace() : null;
			// First of all: it may hold a lock that the log waits for.
			this.thread.interrupt();
			try {
				if (this.count == 1) {
					interrupted();
				}
				else if (stack != null) {
					ignored(stack);
				}
			}
			catch (Throwable ex) {
				// The timer would not come again.
				logger.debug("Nobody could be told that {} hangs", LearningBound.this.who, ex);
			}
		}

		/** Whether it was interrupted. An interrupt of the meantime is lost with ours. */
		synchronized boolean end(@Nullable Future<?> due) {
			this.ended = true;
			if (due != null) {
				due.cancel(false);
			}
			if (this.count == 0) {
				return false;
			}
			LearningBound.this.counts.released();
			if (Thread.interrupted() && this.interruptedBefore) {
				this.thread.interrupt();
			}
			return true;
		}

	}

	private static final class EndedLateException extends IllegalStateException {

		EndedLateException(String message, @Nullable Throwable failure) {
			super(message, failure);
		}

	}

}
