package io.agenthooks.chain;

/**
 * What is particular to the chains of one kind.
 *
 * @param <C> the calls
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public interface ChainKind<C extends HookedCall, D extends HookDecision, E> {

	/**
	 * What a call is called in the log.
	 * @return the noun
	 */
	String noun();

	/**
	 * No objection.
	 * @return the decision
	 */
	D approve();

	/**
	 * The call must not happen.
	 * @param reason why
	 * @return the decision
	 */
	D deny(String reason);

	/**
	 * The call must not happen, and the run is over.
	 * @param reason why
	 * @return the decision
	 */
	D abortRun(String reason);

	/**
	 * A call as a decision changes it.
	 * @param call the call
	 * @param decision the decision, which modifies
	 * @param hook the name of the hook
	 * @return the changed call
	 */
	default C change(C call, D decision, String hook) {
		throw new IllegalStateException("No hook changes a " + noun());
	}

	/**
	 * The event of a changed call.
	 * @param before the call as it was
	 * @param call the call as it is now
	 * @param hook the name of the hook
	 * @return the event
	 */
	default E modified(C before, C call, String hook) {
		throw new IllegalStateException("No hook changes a " + noun());
	}

	/**
	 * The event of a hook that threw or decided nothing.
	 * @param call the call
	 * @param hook the name of the hook
	 * @param failure what was wrong, without secrets
	 * @return the event
	 */
	E hookFailed(C call, String hook, String failure);

	/**
	 * The event of a hook that failed while the call passes.
	 * @param call the call
	 * @param hook the name of the hook
	 * @param failure what failed, without secrets
	 * @return the event
	 */
	E failedOpen(C call, String hook, String failure);

}
