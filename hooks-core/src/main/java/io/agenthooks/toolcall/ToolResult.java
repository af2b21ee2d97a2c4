package io.agenthooks.toolcall;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What the agent gets back from a call.
 *
 * @param succeeded whether the tool did what it was asked to
 * @param content the text for the model; the error's text if it did not succeed
 * @param value the same result as data, or {@code null} if it is text only
 * @since 0.1.0
 */
public record ToolResult(boolean succeeded, String content, @Nullable Object value) {

	/**
	 * Create a result.
	 */
	public ToolResult {
		Objects.requireNonNull(content, "'content' must not be null");
	}

	/**
	 * A result of a tool that did what it was asked to.
	 * @param content the text for the model
	 * @return the result
	 */
	public static ToolResult success(String content) {
		return new ToolResult(true, content, null);
	}

	/**
	 * A result of a tool that did what it was asked to, also as data.
	 * @param content the text for the model
	 * @param value the same as data, or {@code null}
	 * @return the result
	 */
	public static ToolResult success(String content, @Nullable Object value) {
		return new ToolResult(true, content, value);
	}

	/**
	 * A result of a call that failed.
	 * @param error the text for the model, saying why
	 * @return the result
	 */
	public static ToolResult failure(String error) {
		return new ToolResult(false, error, null);
	}

	/**
	 * The result without its content, which may be secret.
	 */
	@Override
	public String toString() {
		return "ToolResult[succeeded=%s, content=%d characters]".formatted(this.succeeded, this.content.length());
	}

}
