package io.agenthooks.llmcall;

import java.util.Locale;

/**
 * The author of a message.
 *
 * @since 0.1.0
 */
public enum LlmRole {

	/** The application. */
	SYSTEM,

	/** The person who uses the agent. */
	USER,

	/** The model. */
	ASSISTANT,

	/** A tool, with its result. */
	TOOL;

	private final String value = name().toLowerCase(Locale.ROOT);

	/**
	 * The name on the wire and in configuration: {@code system}, {@code user} and so on.
	 * @return the lower-case name
	 */
	public String value() {
		return this.value;
	}

}
