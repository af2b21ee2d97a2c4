package io.agenthooks.chain;

/**
 * The end of a call. Each kind has a status of its own for users, with those of these
 * that it can have.
 *
 * @since 0.1.0
 */
public enum Ending {

	/** It did what it was to do. */
	SUCCEEDED,

	/** It was made and did not succeed. */
	FAILED,

	/** It was denied. */
	DENIED,

	/** It was denied because calls of its kind are switched off. */
	DISABLED,

	/** A hook answered it. */
	ANSWERED,

	/** A hook ended the turn or the run. */
	ABORTED,

	/** It waits for people, and the turn ends until they have decided. */
	PENDING,

	/** No caller waited for its result any more. */
	CANCELLED

}
