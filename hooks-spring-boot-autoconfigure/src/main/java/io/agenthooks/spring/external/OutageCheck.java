package io.agenthooks.spring.external;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Tells an outage of a decider from what a call did to it. An agent may know a call that
 * breaks the decider which is asked about it: that answers with an error, hangs, or dies.
 * Such a call must not pass as in an outage:
 * <ul>
 * <li>A question that never reached the decider has not broken it.</li>
 * <li>After another failure the decider is asked a question that has nothing of the agent
 * in it, a probe. If it answers that, the call is what it fails at, and is denied. If it
 * fails at that, too, it is out, and for half a minute nothing else is tried.</li>
 * <li>A decider may fail at the probe although it is well, for instance because it reads
 * an argument without looking whether it is there. Unless it has answered a probe before,
 * it is asked again what it answered last, too, and is out if it fails at both.</li>
 * <li>A decider that calls share may fail at the probe because the call has killed or
 * blocked it. If the last thing that is known of it is an answer, the question at which
 * it hangs or dies does not pass, nor does what comes in the half minute after. If a call
 * is known to have killed it before, nothing passes until it has answered again.</li>
 * </ul>
 *
 * @since 0.1.0
 */
public final class OutageCheck {

	/**
	 * As many bytes, or characters, may a question have that is kept to be asked again.
	 */
	public static final int MAX_KEPT = 65_536;

	/** How long a decider that failed at a probe is out without another one. */
	static final Duration OUT = Duration.ofSeconds(30);

	/** How long it is not believed to be out that a call may have killed or blocked. */
	static final Duration SUSPECT = Duration.ofSeconds(30);

	private final boolean shared;

	private final LongSupplier nanoTime;

	/** So that many calls that fail at the same time make one probe. */
	private final ReentrantLock lock = new ReentrantLock();

	/** Whether the last thing that is known of the decider is an answer. */
	private volatile boolean works;

	private volatile long answeredAt;

	/** Whether a call has killed or blocked the decider, which then answered a probe. */
	private volatile boolean wasBroken;

	/** If so, failing at a probe means something. */
	private boolean answersProbes;

	private long outUntil;

	private long suspectUntil;

	/**
	 * Create a check.
	 * @param shared whether calls share the decider, so that one may break it for others
	 */
	public OutageCheck(boolean shared) {
		this(shared, System::nanoTime);
	}

	OutageCheck(boolean shared, LongSupplier nanoTime) {
		this.shared = shared;
		this.nanoTime = nanoTime;
		long now = nanoTime.getAsLong();
		this.outUntil = now;
		this.suspectUntil = now;
		this.answeredAt = now;
	}

	/** Note that the decider answered a question about a call. */
	public void answered() {
		this.wasBroken = false;
		noteAnswer();
	}

	private void noteAnswer() {
		this.works = true;
		this.answeredAt = this.nanoTime.getAsLong();
	}

	/**
	 * Check a failure that would let its call pass.
	 * @param failure the failure
	 * @param probe asks the decider something that has nothing of the agent in it
	 * @param again asks it what it answered last, or {@code null} if that is not kept
	 * @return the failure, or another one in its place if the call must not pass
	 */
	public NoVerdictException check(NoVerdictException failure, Probe probe, @Nullable Probe again) {
		if (!failure.mayPass()) {
			return failure;
		}
		long failedAt = this.nanoTime.getAsLong();
		try {
			this.lock.lockInterruptibly();
		}
		catch (InterruptedException ex) {
			return NoVerdictException.interrupted();
		}
		try {
			return check(failure, failedAt, probe, again);
		}
		finally {
			this.lock.unlock();
		}
	}

	private NoVerdictException check(NoVerdictException failure, long failedAt, Probe probe, @Nullable Probe again) {
		long now = this.nanoTime.getAsLong();
		boolean suspect = this.shared && now - this.suspectUntil < 0;
		if (!failure.hasReachedTheDecider()) {
			return (suspect || (this.shared && this.wasBroken))
					? failure.refused("; a call may have brought that about") : failure;
		}
		if (this.works && this.answeredAt - failedAt > 0) {
			return failure.refused(", but answers others");
		}
		if (suspect) {
			return failure.refused("; a call may have brought that about");
		}
		if (!this.works && now - this.outUntil < 0) {
			return failure;
		}
		NoVerdictException atProbe = failureAt(probe);
		this.answersProbes |= atProbe == null;
		if (atProbe == null) {
			return answeredAfter(failure, ", but answers a question that has nothing of the call in it");
		}
		if (atProbe.mayPass() && !this.answersProbes && again != null) {
			atProbe = failureAt(again);
			if (atProbe == null) {
				return answeredAfter(failure, ", but answers again what it answered before");
			}
		}
		return (atProbe.mayPass()) ? outOrBroken(failure)
				: failure.refused(", and a question that has nothing of the call in it did not show why");
	}

	private static @Nullable NoVerdictException failureAt(Probe probe) {
		try {
			probe.ask();
			return null;
		}
		catch (NoVerdictException ex) {
			return ex;
		}
	}

	private NoVerdictException answeredAfter(NoVerdictException failure, String how) {
		this.wasBroken |= failure.isBreakdown();
		noteAnswer();
		return failure.refused(how);
	}

	private NoVerdictException outOrBroken(NoVerdictException failure) {
		long now = this.nanoTime.getAsLong();
		boolean mayBeBroken = this.shared && this.works && failure.isBreakdown();
		this.works = false;
		if (mayBeBroken) {
			this.suspectUntil = now + SUSPECT.toNanos();
			return failure.refused(", and answered the question before; a call may have brought that about");
		}
		this.outUntil = now + OUT.toNanos();
		return failure;
	}

	/**
	 * Asks a decider something that shows whether it is well.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Probe {

		/**
		 * Ask it.
		 * @throws NoVerdictException if it fails
		 */
		void ask() throws NoVerdictException;

	}

}
