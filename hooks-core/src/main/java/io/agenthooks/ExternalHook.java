package io.agenthooks;

/**
 * A hook that sends calls out of the application. A chain asks it about the call as its
 * {@linkplain ArgumentsMask masks} leave it. If it changes such a call, what was masked
 * and came back as it went out becomes the original again; a change of anything masked
 * denies the call.
 *
 * @since 0.1.0
 */
public interface ExternalHook extends Hook {

	/**
	 * Whether a hook that also decides gets the arguments of calls about which it was not
	 * asked, when it learns how they ended.
	 * @return {@code false} unless overridden
	 */
	default boolean seesUnaskedCalls() {
		return false;
	}

}
