package io.agenthooks;

import java.util.Locale;

/**
 * The name of a decision. One name for the API, JSON, metric tags and audit.
 *
 * @since 0.1.0
 */
public enum Verdict {

	/** No objection: the next hook is asked, or the call proceeds. */
	APPROVE,

	/** No objection, but with other arguments. */
	MODIFY,

	/** The call must not happen; the agent gets the reason and goes on. */
	DENY,

	/** The agent gets this result; the tool does not run. */
	RESPOND,

	/** A person has to approve the call first. */
	ASK,

	/** The call must not happen, and the turn or the whole run ends. */
	ABORT;

	private final String value = name().toLowerCase(Locale.ROOT);

	/**
	 * The name on the wire, in metric tags and in audit records: {@code approve},
	 * {@code deny} and so on.
	 * @return the lower-case name
	 */
	public String value() {
		return this.value;
	}

}
