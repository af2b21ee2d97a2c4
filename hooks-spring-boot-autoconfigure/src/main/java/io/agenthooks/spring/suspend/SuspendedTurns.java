package io.agenthooks.spring.suspend;

import java.util.Collection;

import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * Keeps turns of agents that wait for people, for the adapter that makes the calls of a
 * turn. There is a bean of this type exactly if {@code hooks.approval.mode} is
 * {@code suspend}.
 *
 * @since 0.1.0
 */
public interface SuspendedTurns {

	/**
	 * Keep a turn until its questions are settled and the application goes on with it.
	 * Questions of it that were settled meanwhile are told again by an
	 * {@code ApprovalChangedEvent}. An adapter that cannot keep a turn
	 * {@linkplain #cancel cancels} its calls, so that they never run.
	 * @param turn the turn, in which at least one call waits
	 * @throws IllegalArgumentException if no call of it waits
	 * @throws IllegalStateException if it cannot be kept: it is larger than
	 * {@value SuspendedTurn#MAX_LENGTH} characters, one of its questions is gone, or the
	 * store is away
	 */
	void keep(SuspendedTurn turn);

	/**
	 * Cancel the questions about calls whose turn is over and was not kept. A question
	 * that is at an end, or gone, stays as it is, and so does one that an equal call
	 * asked before: the turn of that call may wait for it.
	 * @param calls what the calls have thrown
	 */
	void cancel(Collection<TurnSuspendedException> calls);

}
