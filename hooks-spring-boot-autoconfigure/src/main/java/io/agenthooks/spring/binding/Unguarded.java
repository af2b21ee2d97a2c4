package io.agenthooks.spring.binding;

/**
 * Consequence of finding a tool whose calls pass no hooks.
 *
 * @since 0.1.0
 */
public enum Unguarded {

	/** Nothing; such tools are not looked for. */
	IGNORE,

	/** It is logged and counted. */
	WARN,

	/** It is counted, and an exception keeps the tool from running. */
	DENY

}
