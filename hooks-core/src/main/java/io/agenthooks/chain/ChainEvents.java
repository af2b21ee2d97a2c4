package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;

/**
 * The events of calls of one kind. Not every kind has those that may be {@code null}.
 *
 * @param <C> the calls
 * @param <R> what they result in
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public interface ChainEvents<C extends HookedCall, R, D extends HookDecision, E> {

	E started(C call);

	E hookFailed(C call, String hook, String failure);

	E failedOpen(C call, String hook, String failure);

	/**
	 * The event of a changed call.
	 * @param before the call as it was
	 * @param call the call as it is now
	 * @param hook the name of the hook
	 * @return the event, or {@code null} if there is none
	 */
	default @Nullable E modified(C before, C call, String hook) {
		return null;
	}

	/**
	 * The event of a refused call, beside its end.
	 * @param call the call
	 * @param hook the name of the hook
	 * @param refusal the decision, which denies or aborts
	 * @return the event, or {@code null} if there is none
	 */
	default @Nullable E refused(C call, String hook, D refusal) {
		return null;
	}

	/**
	 * The event of a result that a hook replaced or withheld.
	 * @param call the call
	 * @param before the result as it was
	 * @param result the result as it is now
	 * @param hook the name of the hook
	 * @return the event, or {@code null} if there is none
	 */
	default @Nullable E replaced(C call, R before, R result, String hook) {
		return null;
	}

}
