package io.agenthooks.llmcall;

import java.util.Locale;

/**
 * The status of a model call that has ended.
 *
 * @since 0.1.0
 */
public enum LlmCallStatus {

	/** The model answered. */
	SUCCEEDED,

	/** Asking the model failed with an exception. */
	FAILED,

	/** The model was not asked; the agent got the reason. */
	DENIED,

	/** The model was not asked; the agent got a hook's response. */
	ANSWERED,

	/**
	 * The turn or the run ended. The model was not asked, unless there is an
	 * {@linkplain LlmOutcome#originalResponse() original response}.
	 */
	ABORTED,

	/** No caller waited for the end of the response any more. */
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
