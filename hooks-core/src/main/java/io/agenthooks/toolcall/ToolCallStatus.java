package io.agenthooks.toolcall;

import java.util.Locale;

/**
 * The status of a tool call that has ended.
 *
 * @since 0.1.0
 */
public enum ToolCallStatus {

	/** The tool ran and did what it was asked to. */
	SUCCEEDED,

	/** The tool ran and reported a failure, or threw. */
	FAILED,

	/** The tool did not run; the agent got the reason. */
	DENIED,

	/** The tool did not run; the agent got a hook's result. */
	ANSWERED,

	/**
	 * The turn or the run ended. The tool did not run, unless there is an
	 * {@linkplain ToolOutcome#originalResult() original result}.
	 */
	ABORTED,

	/**
	 * The tool did not run: people have been asked, and the turn ends until they have
	 * decided.
	 */
	PENDING,

	/**
	 * The tool did not run, nor was any hook's objection needed: tools are switched off.
	 */
	DISABLED;

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
