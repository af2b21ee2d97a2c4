package io.agenthooks.spring.approval;

/**
 * Where a question to people stands.
 *
 * @since 0.1.0
 */
public enum ApprovalState {

	/** People may decide. */
	PENDING,

	/** As many people as needed approved; the call has not been claimed yet. */
	APPROVED,

	/** Exactly one claimed the approval to run the call; it holds for nobody else. */
	CLAIMED,

	/** A person denied. */
	DENIED,

	/** Nobody decided in time, or nobody claimed the approval in time. */
	EXPIRED,

	/** The question is void: its run ended, or who asked no longer waits. */
	CANCELLED;

	/**
	 * Whether people may still decide.
	 */
	boolean isOpen() {
		return this == PENDING;
	}

}
