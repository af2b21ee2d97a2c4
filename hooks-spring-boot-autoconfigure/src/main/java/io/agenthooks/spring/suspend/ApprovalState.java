package io.agenthooks.spring.suspend;

/**
 * The state of a question to people.
 *
 * @since 0.1.0
 */
public enum ApprovalState {

	/** People may decide. */
	PENDING,

	/** As many people as needed approved; the call has not been claimed yet. */
	APPROVED,

	/** One caller claimed the approval to run the call; no other can. */
	CLAIMED,

	/** A person denied. */
	DENIED,

	/** Not decided in time, or the approval was not claimed in time. */
	EXPIRED,

	/** The question is void: its run ended, or who asked no longer waits. */
	CANCELLED;

	/**
	 * Whether people may still decide.
	 * @return {@code true} if the question waits
	 */
	public boolean isOpen() {
		return this == PENDING;
	}

}
