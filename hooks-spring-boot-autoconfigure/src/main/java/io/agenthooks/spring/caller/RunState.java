package io.agenthooks.spring.caller;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.run.RunBlockedException;

/**
 * Whether a run is over, and how a hook aborted it. Who makes the calls of a run keeps
 * this with it, so that a call which comes after an aborted run is refused although
 * nobody remembers the id of the run any more.
 *
 * @since 0.1.0
 */
public final class RunState {

	private volatile boolean over;

	private volatile @Nullable AgentAbortedException abortion;

	/**
	 * Note that a call of the run was aborted. The first abort counts, and only one that
	 * ends the run: a turn may be followed by another, and an inner agent that may not
	 * begin is a tool that failed.
	 * @param abortion how the call was aborted
	 * @return whether the run was over before, so that its id has to be forgotten once
	 * more
	 */
	public boolean abort(AgentAbortedException abortion) {
		if (abortion.getScope() != AbortScope.RUN || abortion instanceof RunBlockedException) {
			return false;
		}
		if (this.abortion == null) {
			this.abortion = abortion;
		}
		return this.over;
	}

	/**
	 * Note how the run was aborted as it was remembered until its end. Whoever was told
	 * of the abort may not have come to {@link #abort} yet.
	 * @param abortion how the run was aborted
	 */
	public void inherit(AbortedRuns.Abortion abortion) {
		if (this.abortion == null) {
			this.abortion = new EndedRunException(
					"The hook '%s' aborted the run: %s".formatted(abortion.hook(), abortion.reason()), abortion.hook(),
					abortion.reason());
		}
	}

	/**
	 * Note that the run is over. Only after this may its id be forgotten, or a call could
	 * slip in between.
	 */
	public void end() {
		this.over = true;
	}

	/**
	 * Note that the run is over because nobody waits for its answer any more. Whatever
	 * still comes of it is refused: hooks may have been asked meanwhile.
	 */
	public void cancel() {
		if (!this.over && this.abortion == null) {
			this.abortion = new EndedRunException("The run was cancelled", BuiltInDecider.CANCELLED.value(),
					"The run was cancelled");
		}
		end();
	}

	public boolean isOver() {
		return this.over;
	}

	/**
	 * The abort or the cancellation of the run, if it is over. While it goes on, the
	 * chain refuses what was aborted.
	 * @return how, or {@code null} if its calls need not be refused here
	 */
	public @Nullable AgentAbortedException abortedBy() {
		return (this.over) ? this.abortion : null;
	}

	private static final class EndedRunException extends AgentAbortedException {

		EndedRunException(String message, String hook, String reason) {
			super(message, hook, reason, AbortScope.RUN);
		}

	}

}
