package io.agenthooks.spring;

/**
 * The effect that a call of a tool has. {@code hooks.tool_call.effects} says what becomes
 * of calls of tools with it.
 *
 * @since 0.1.0
 */
public enum ToolEffect {

	/** It only reads. */
	READ,

	/** It changes something. */
	WRITE,

	/** It deletes or overwrites something. */
	DESTRUCTIVE,

	/** It reaches others, such as by mail or on the web. */
	EXTERNAL

}
