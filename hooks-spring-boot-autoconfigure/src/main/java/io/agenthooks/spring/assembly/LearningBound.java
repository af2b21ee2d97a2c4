package io.agenthooks.spring.assembly;

import java.time.Duration;
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
 * is interrupted when its time is over.
 * <p>
 * Nothing can free a thread from what ignores interrupts. What has done so once is
 * {@linkplain TimeLimit left behind} on other threads from then on, and so is what has a
 * {@code timeout} of its own from the beginning.
 * <p>
 * While a thread hangs in it, a call waits for it no longer than {@link #PATIENCE}.
 * Whether it hangs for every call or for that one alone, nobody can know: so each call is
 * told to it, until as many threads hang as may, and what takes longer than the patience
 * goes on without the call. To wait the whole time would hold one call after the other as
 * long as the first, up to the bound of the threads. Not to wait at all would let a hook
 * that is well again learn of calls late, out of order, and after hooks that rely on what
 * it has learnt have decided about the next call.
 */
final class LearningBound implements HookAround, HangWatch.Watched {

	private static final Logger logger = LoggerFactory.getLogger(LearningBound.class);

	/** The patience of a call with what hangs for another one. */
	static final Duration PATIENCE = Duration.ofMillis(100);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	/** Of their own, or the warning of the interrupt would hide them. */
	private final WarningThrottle failures = new WarningThrottle(logger);

	private final String who;

	private final Duration timeout;

	private final String setting;

	private final HangWatch watch;

	private final TimeLimit onOtherThread;

	private final BoundCounts counts;

	private volatile boolean ignoresInterrupts;

	LearningBound(String who, Duration timeout, String setting, HangWatch watch, TimeLimit onOtherThread,
			BoundCounts counts) {
		this.who = who;
		this.timeout = timeout;
		this.setting = setting;
		this.watch = watch;
		this.onOtherThread = onOtherThread;
		this.counts = counts;
		watch.prepareFor(timeout);
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
			this.watch.run(this, hook);
		}
	}

	private void tellOnOtherThread(Runnable hook) {
		if (this.counts.abandonedThreads() == 0 || this.timeout.compareTo(PATIENCE) <= 0) {
			this.onOtherThread.tell(hook);
			return;
		}
		// Nobody waits for its end, so the watch interrupts it there, and counts it.
		this.onOtherThread.tellWithin(PATIENCE, () -> this.watch.run(this, hook), this::late);
	}

	/**
	 * It failed, and the call for which it did so has gone on. What ended late was told
	 * when it was interrupted.
	 */
	private void late(Throwable failure) {
		if (!(failure instanceof EndedLateException)) {
			logger.debug("{} failed", this.who, failure);
			this.failures.warn("%s failed with %s for a call that had gone on without it".formatted(this.who,
					failure.getClass().getName()));
		}
	}

	@Override
	public long nanos() {
		return this.timeout.toNanos();
	}

	@Override
	public void interrupted() {
		this.counts.timedOut();
		this.counts.hangs();
		this.warnings.warn("%s takes longer than %d ms and is interrupted, so that the call goes on ('%s')"
			.formatted(this.who, this.timeout.toMillis(), this.setting));
	}

	@Override
	public void ignored(StackTraceElement[] stack) {
		if (this.ignoresInterrupts) {
			return;
		}
		this.ignoresInterrupts = true;
		Hung hung = new Hung(stack);
		logger.warn("{} ignores interrupts, and keeps calls waiting. "
				+ "From now on it runs on threads of its own, so that later calls go on. Let it end in time, such as by a "
				+ "timeout of its connection; a hook that has 'timeout' on its entry runs on such threads from the start.",
				this.who, hung);
	}

	@Override
	public RuntimeException endedLate(@Nullable Throwable failure) {
		this.counts.released();
		if (failure instanceof VirtualMachineError error) {
			throw error;
		}
		return new EndedLateException("%s did not end within %d ms".formatted(this.who, this.timeout.toMillis()),
				failure);
	}

	/** It ended after it was interrupted. */
	private static final class EndedLateException extends IllegalStateException {

		EndedLateException(String message, @Nullable Throwable failure) {
			super(message, failure);
		}

	}

	/** Shows in the log where a thread hangs. */
	private static final class Hung extends Throwable {

		Hung(StackTraceElement[] stack) {
			super("It hangs here", null, false, true);
			setStackTrace(stack);
		}

	}

}
