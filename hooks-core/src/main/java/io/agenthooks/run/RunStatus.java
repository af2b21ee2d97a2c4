package io.agenthooks.run;

import java.util.Locale;

/**
 * The status of a run that has ended.
 *
 * @since 0.1.0
 */
public enum RunStatus {

	/** The agent answered. */
	SUCCEEDED,

	/** The run ended with an exception. */
	FAILED,

	/** The run did not begin. */
	DENIED,

	/** A hook aborted the run: before it began, or at a call of it. */
	ABORTED,

	/**
	 * A call of the run waits for people; the application can go on when they have
	 * decided.
	 */
	PENDING,

	/** No caller waited for the end of the run any more. */
	CANCELLED;

	private final String value = name().toLowerCase(Locale.ROOT);

	/**
	 * The name on the wire, in metric tags and in audit records: {@code succeeded},
	 * {@code denied} and so on.
	 * @return the lower-case name
	 */
	public String value() {
		return this.value;
	}

}
