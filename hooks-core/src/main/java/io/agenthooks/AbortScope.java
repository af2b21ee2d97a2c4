package io.agenthooks;

/**
 * How much an {@link Verdict#ABORT abort} ends.
 *
 * @since 0.1.0
 */
public enum AbortScope {

	/**
	 * The agent's current turn; the conversation may go on. PicoClaw's
	 * {@code abort_turn}.
	 */
	TURN,

	/**
	 * The agent's whole run. PicoClaw's {@code hard_abort}.
	 */
	RUN

}
