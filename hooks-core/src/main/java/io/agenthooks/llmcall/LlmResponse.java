package io.agenthooks.llmcall;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The response of a model.
 *
 * @param text the text; empty if there is none
 * @param toolCalls the tools that the model wants to call
 * @param finishReason why the model stopped, or {@code null} if it is unknown
 * @param usage the tokens that were used, or {@code null} if nobody counts them
 * @param model the model that answered, or {@code null} if it is unknown
 * @param source the response of the framework that this one was made of, or {@code null}
 * if a hook made it
 * @since 0.1.0
 */
public record LlmResponse(String text, List<LlmToolCall> toolCalls, @Nullable String finishReason,
		@Nullable LlmUsage usage, @Nullable String model, @Nullable Object source) {

	/** The finish reason of a response that a hook wrote instead of the model. */
	public static final String ANSWERED_BY_HOOK = "hookRespond";

	/** The finish reason of a response that a hook denied. */
	public static final String DENIED_BY_HOOK = "hookDeny";

	/** The finish reason of a turn that a hook aborted. */
	public static final String ABORTED_BY_HOOK = "hookAbort";

	private static final String DENIED = "Model call denied by hook '";

	private static final String WITHHELD = "Model response withheld by hook '";

	public LlmResponse {
		Objects.requireNonNull(text, "'text' must not be null");
		toolCalls = List.copyOf(toolCalls);
	}

	/**
	 * A response that a hook writes.
	 * @param text the text
	 * @return the response
	 */
	public static LlmResponse of(String text) {
		return new LlmResponse(text, List.of(), ANSWERED_BY_HOOK, null, null, null);
	}

	/**
	 * This response with another text.
	 * @param text the text
	 * @return the new response
	 */
	public LlmResponse withText(String text) {
		return new LlmResponse(text, this.toolCalls, this.finishReason, this.usage, this.model, this.source);
	}

	/**
	 * Whether the text is the reason of a hook in place of a response. Whoever shows
	 * responses to a person shows a {@linkplain io.agenthooks.RefusalText text} that says
	 * nothing of hooks instead.
	 * @return whether the call was denied, or the response withheld
	 */
	public boolean isRefusal() {
		return DENIED_BY_HOOK.equals(this.finishReason)
				&& (this.text.startsWith(DENIED) || this.text.startsWith(WITHHELD));
	}

	static LlmResponse denied(String hook, String reason) {
		return new LlmResponse(DENIED + hook + "': " + reason, List.of(), DENIED_BY_HOOK, null, null, null);
	}

	/** It keeps the usage: the tokens were spent. */
	static LlmResponse withheld(String hook, String reason, LlmResponse response) {
		return new LlmResponse(WITHHELD + hook + "': " + reason, List.of(), DENIED_BY_HOOK, response.usage,
				response.model, null);
	}

	/** The response without its text, which may be secret. */
	@Override
	public String toString() {
		return "LlmResponse[text=%d characters, toolCalls=%s, finishReason=%s, usage=%s, model=%s]"
			.formatted(this.text.length(), this.toolCalls, this.finishReason, this.usage, this.model);
	}

}
