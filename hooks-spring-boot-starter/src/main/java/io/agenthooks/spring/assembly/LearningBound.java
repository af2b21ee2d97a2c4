package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.function.BiFunction;
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
 */
final class LearningBound implements HookAround, HangWatch.Watched {

	private static final Logger logger = LoggerFactory.getLogger(LearningBound.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final String who;

	private final Duration timeout;

	private final String setting;

	private final HangWatch watch;

	private final TimeLimit onOtherThread;

	private final BoundCounts counts;

	private volatile boolean ignoresInterrupts;

	/**
	 * Create a bound.
	 * @param who what has it, as the beginning of a sentence
	 * @param setting the property that says how long it is
	 * @param onOtherThread runs what ignores interrupts
	 */
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
			this.onOtherThread.tell(hook);
		}
		else {
			this.watch.run(this, LearningBound::run, hook, this);
		}
	}

	private static LearningBound run(Runnable hook, LearningBound bound) {
		hook.run();
		return bound;
	}

	@Override
	public <C, O> void tell(BiFunction<C, O, ?> hook, C call, O outcome) {
		if (this.ignoresInterrupts) {
			this.onOtherThread.tell(hook, call, outcome);
		}
		else {
			this.watch.run(this, hook, call, outcome);
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
		logger.warn("{} ignores that it was interrupted, and holds the calls that it is told of now. "
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
		return new IllegalStateException("%s did not end within %d ms".formatted(this.who, this.timeout.toMillis()),
				failure);
	}

	/**
	 * Shows in the log where a thread hangs.
	 */
	private static final class Hung extends Throwable {

		Hung(StackTraceElement[] stack) {
			super("It hangs here", null, false, true);
			setStackTrace(stack);
		}

	}

}
