package io.agenthooks.llmcall;

import java.util.Objects;

import io.agenthooks.SafeText;

/**
 * A call of a tool that the model wants. It passes the hooks for tool calls before the
 * tool runs.
 *
 * @param id what the model calls it
 * @param name the name of the tool
 * @param arguments the arguments as the model wrote them, usually JSON
 * @since 0.1.0
 */
public record LlmToolCall(String id, String name, String arguments) {

	public LlmToolCall {
		Objects.requireNonNull(id, "'id' must not be null");
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(arguments, "'arguments' must not be null");
	}

	/** The call without its arguments, which may be secret. */
	@Override
	public String toString() {
		return "LlmToolCall[id=%s, name=%s]".formatted(SafeText.name(this.id), SafeText.name(this.name));
	}

}
