package io.agenthooks.toolcall;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;

/**
 * The result of a call for the agent.
 *
 * @param succeeded whether the tool did what it was asked to
 * @param content the text for the model; the error's text if it did not succeed
 * @param value the same result as data, or {@code null} if it is text only
 * @param additionalContext the additional context of hooks for the model, or {@code null}
 * @since 0.1.0
 */
public record ToolResult(boolean succeeded, String content, @Nullable Object value,
		@Nullable String additionalContext) {

	private static final String DENIED = "Tool call denied";

	private static final String WITHHELD = "Tool result withheld";

	private static final String BY_HOOK = " by hook '";

	public ToolResult {
		Objects.requireNonNull(content, "'content' must not be null");
	}

	/**
	 * Create a result without additional context.
	 * @param succeeded whether the tool did what it was asked to
	 * @param content the text for the model; the error's text if it did not succeed
	 * @param value the same result as data, or {@code null} if it is text only
	 */
	public ToolResult(boolean succeeded, String content, @Nullable Object value) {
		this(succeeded, content, value, null);
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

	static ToolResult denied(String hook, String reason) {
		return failure(DENIED + BY_HOOK + hook + "': " + reason);
	}

	static ToolResult withheld(String hook, String reason) {
		return failure(WITHHELD + BY_HOOK + hook + "': " + reason);
	}

	/**
	 * Whether the content is the reason of a hook in place of a result. Whoever shows
	 * results to a person shows a {@linkplain io.agenthooks.RefusalText text} that says
	 * nothing of hooks instead.
	 * @return whether a call was denied, or its result withheld
	 */
	public boolean isRefusal() {
		return !this.succeeded && (this.content.startsWith(DENIED) || this.content.startsWith(WITHHELD));
	}

	/**
	 * This result with additional context for the model.
	 * @param additionalContext the text, in place of what the result has of it
	 * @return the new result
	 */
	public ToolResult withAdditionalContext(String additionalContext) {
		return new ToolResult(this.succeeded, this.content, this.value, additionalContext);
	}

	/**
	 * The text that the model reads: the content, in which what looks like a mark is
	 * {@linkplain AdditionalContext#neutralize neutralized}, and the additional context
	 * marked as data, by another mark each time.
	 * @return the content itself if there is no additional context and it looks like no
	 * mark
	 */
	public String forModel() {
		return (this.additionalContext == null) ? AdditionalContext.neutralize(this.content)
				: AdditionalContext.append(this.content, this.additionalContext, null);
	}

	/** The result without its content, which may be secret. */
	@Override
	public String toString() {
		return "ToolResult[succeeded=%s, content=%d characters]".formatted(this.succeeded, this.content.length());
	}

}
