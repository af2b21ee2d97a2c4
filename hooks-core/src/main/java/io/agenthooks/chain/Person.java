package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

/**
 * Answers what a hook wants a person to decide.
 *
 * @param <C> the calls
 * @param <D> the decisions
 * @since 0.1.0
 */
@FunctionalInterface
public interface Person<C, D> {

	/**
	 * Wait for the answer.
	 * @param call the final call
	 * @param question the decision of the hook, which asks
	 * @return the answer; one that neither approves, modifies, denies nor aborts denies
	 */
	@Nullable D answer(C call, D question);

}
