package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;

/**
 * The part of a kind about whose calls people are asked.
 *
 * @param <C> the calls
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public interface People<C extends HookedCall, D extends HookDecision, E> {

	/**
	 * The question of a hook. That it is kept already is for the approver to say.
	 * @param question a decision that asks
	 * @param hook the name of the hook that asks
	 * @return the same without that, as the question of this hook
	 */
	D asked(D question, String hook);

	D join(D question, D another);

	/**
	 * The event of a person who is asked.
	 * @param call the call
	 * @param hook the name of the hook that asks
	 * @param question its decision
	 * @return the event
	 */
	E personAsked(C call, String hook, D question);

	/**
	 * The event of a person who answered, or failed to.
	 * @param call the call
	 * @param hook the name of the hook that asked
	 * @param question its decision
	 * @param answer what holds now
	 * @return the event
	 */
	E personAnswered(C call, String hook, D question, D answer);

	/**
	 * Waits for the answer of a person to the question of a hook.
	 *
	 * @param <C> the calls
	 * @param <D> the decisions
	 * @since 0.1.0
	 */
	interface Approver<C extends HookedCall, D extends HookDecision> {

		/**
		 * Wait for the answer.
		 * @param call the final call
		 * @param question what the hook asks
		 * @return the answer; what neither approves, modifies, denies nor aborts denies,
		 * unless it is a question that is kept and still
		 * {@linkplain HookDecision#pending() waits}
		 */
		@Nullable D answer(C call, D question);

		/**
		 * Whether there is a person to ask.
		 * @return {@code false} if this always gives the same answer
		 */
		boolean hasPerson();

		String name();

	}

}
