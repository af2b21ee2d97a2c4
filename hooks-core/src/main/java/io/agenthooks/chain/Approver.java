package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;

/**
 * Waits for the answer of a person to the question of a hook.
 *
 * @param <C> the calls
 * @param <D> the decisions
 * @since 0.1.0
 */
public interface Approver<C extends HookedCall, D extends HookDecision> {

	/**
	 * Wait for the answer.
	 * @param call the final call
	 * @param question what the hook asks
	 * @param hook the name of the hook that asks, the first if there are several
	 * @return the answer; what neither approves, modifies, denies nor aborts denies,
	 * unless it is a question that is kept and still {@linkplain HookDecision#pending()
	 * waits}
	 */
	@Nullable D answer(C call, D question, String hook);

	/**
	 * Whether there is a person to ask.
	 * @return {@code false} if this always gives the same answer
	 */
	boolean hasPerson();

	/**
	 * The name of this approver.
	 * @return the name
	 */
	String name();

}
