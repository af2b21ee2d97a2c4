package io.agenthooks.chain;

import io.agenthooks.HookDecision;

/**
 * What a gate says of a call that enters, unless all hooks approve it: there is more to
 * do, or it is denied.
 *
 * @param <C> the calls
 * @param <R> what they result in
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public sealed interface Admission<C extends HookedCall, R, D extends HookDecision, E>
		permits Passage, Admission.Denied {

	/**
	 * A hook has denied the call, and no listener or hook wants the outcome.
	 *
	 * @param <C> the calls
	 * @param <R> what they result in
	 * @param <D> the decisions
	 * @param <E> the events
	 * @param reason why
	 * @param result what stands for a result
	 * @since 0.1.0
	 */
	record Denied<C extends HookedCall, R, D extends HookDecision, E>(String reason,
			R result) implements Admission<C, R, D, E> {
	}

}
