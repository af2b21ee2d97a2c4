package io.agenthooks.toolcall;

/**
 * The calls that the approval of a person counts for, from the narrowest scope to the
 * widest.
 *
 * @since 0.1.0
 */
public enum ApprovalScope {

	/** The call that the person was asked about. */
	ONCE,

	/** The very same call, again in its session, for a time. */
	CALL,

	/**
	 * The tool whatever its arguments, for the same question in the same session, for a
	 * time.
	 */
	TOOL;

	/**
	 * The narrower of two scopes.
	 * @param other the other one
	 * @return this or the other one
	 */
	public ApprovalScope narrower(ApprovalScope other) {
		return (compareTo(other) <= 0) ? this : other;
	}

}
