package io.agenthooks;

/**
 * The extent of an {@link Verdict#ABORT abort}.
 *
 * @since 0.1.0
 */
public enum AbortScope {

	/** The agent's current turn; the conversation may go on. */
	TURN,

	/** The agent's whole run. */
	RUN

}
