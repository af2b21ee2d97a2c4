package io.agenthooks;

/**
 * A hook that sends calls out of the application: to an endpoint, a program, a model. A
 * chain asks it about the call as its {@linkplain ArgumentsMask masks} leave it, so it
 * never has what it must not tell. If it changes such a call, what was masked and came
 * back as it went out becomes the original again; a change of anything masked denies the
 * call.
 *
 * @since 0.1.0
 */
public interface ExternalHook extends Hook {

	/**
	 * Whether a hook that decides before the call and learns how it ended gets the
	 * arguments of calls that were settled before it was asked.
	 * @return {@code false} unless overridden: then it gets the outcome without arguments
	 */
	default boolean seesUnaskedCalls() {
		return false;
	}

}
