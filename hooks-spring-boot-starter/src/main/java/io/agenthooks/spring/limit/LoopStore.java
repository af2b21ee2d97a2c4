package io.agenthooks.spring.limit;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;

/**
 * Keeps what is remembered of the calls of each run, for a hook that ends loops. It knows
 * runs, calls, tools and results by their digests only.
 */
interface LoopStore {

	/**
	 * Decide about a call, and count it. A run that is new, or over, begins.
	 * @param run tells which run it is of
	 * @param call tells which call it is
	 * @param tool tells of which tool
	 * @return what came of it
	 */
	Entered enter(String run, String call, String tool);

	/**
	 * Remember how a call ended that was let pass, unless its run was forgotten
	 * meanwhile. To be called once.
	 * @param run its run
	 * @param call tells which call it is
	 * @param tool tells of which tool
	 * @param result tells which result it had
	 * @param failed whether its tool failed, or {@code null} if it did not run
	 */
	void end(Run run, String call, String tool, String result, @Nullable Boolean failed);

	/**
	 * Take back that a call was counted, which is decided once more. To be called once.
	 * @param run its run
	 */
	void leave(Run run);

	/**
	 * Say what {@link #enter} would, without a trace.
	 */
	RunCalls.Looked look(String run, String call, String tool);

	/**
	 * How the store is, as far as its last use told.
	 * @return what is known
	 */
	default HookHealth.Report health() {
		return new HookHealth.Report(HookHealth.State.UP, false, Map.of());
	}

	/**
	 * The run of a call, which is another one if it was forgotten and began again.
	 */
	interface Run {

	}

	/**
	 * A call that was decided.
	 *
	 * @param looked what was found
	 * @param run its run
	 */
	record Entered(RunCalls.Looked looked, Run run) {
	}

}
