package io.agenthooks.spring.suspend;

import java.util.Optional;

/**
 * The turns that go on by themselves when people have decided, on all nodes. There is a
 * bean of this type if {@code hooks.approval.resume} is {@code auto}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ContinuedTurns {

	/**
	 * Find the turn of a call. Whoever may see the turn may see the answer: the user for
	 * whom the call was made, and not the people who decided about it.
	 * @param approvalId the id of the question about the call
	 * @return the turn, or nothing if there is none that goes on by itself
	 */
	Optional<ContinuedTurn> find(String approvalId);

}
