package io.agenthooks.sample.tools;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call as a tool wants them.
 *
 * @param values the arguments by name
 */
record ToolArguments(Map<String, @Nullable Object> values) {

	/**
	 * An argument that has to be there. Text that the operating system would cut or
	 * garble is refused: what the hooks checked is what the tool gets.
	 */
	String text(String name) throws ToolFailedException {
		Object value = this.values.get(name);
		if (value == null) {
			throw new ToolFailedException("The argument '%s' is missing".formatted(name));
		}
		if (!(value instanceof String text)) {
			throw new ToolFailedException("The argument '%s' must be text".formatted(name));
		}
		if (text.indexOf('\0') != -1 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
			throw new ToolFailedException("The argument '%s' holds characters that are not text".formatted(name));
		}
		return text;
	}

	/**
	 * An argument that may be left out.
	 */
	String text(String name, String fallback) throws ToolFailedException {
		return (this.values.containsKey(name)) ? text(name) : fallback;
	}

}
