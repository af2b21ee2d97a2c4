package io.agenthooks.llmcall;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A message of the prompt.
 *
 * @param role who says it
 * @param text its text; empty if it has none, such as a mere wish to call tools
 * @param source the message of the framework that this one was made of, with all that
 * hooks do not see: images, calls of tools and their ids; {@code null} if a hook made it
 * @since 0.1.0
 */
public record LlmMessage(LlmRole role, String text, @Nullable Object source) {

	public LlmMessage {
		Objects.requireNonNull(role, "'role' must not be null");
		Objects.requireNonNull(text, "'text' must not be null");
	}

	/**
	 * A message of the application.
	 * @param text its text
	 * @return the message
	 */
	public static LlmMessage system(String text) {
		return new LlmMessage(LlmRole.SYSTEM, text, null);
	}

	/**
	 * A message of the person.
	 * @param text its text
	 * @return the message
	 */
	public static LlmMessage user(String text) {
		return new LlmMessage(LlmRole.USER, text, null);
	}

	/**
	 * A message of the model.
	 * @param text its text
	 * @return the message
	 */
	public static LlmMessage assistant(String text) {
		return new LlmMessage(LlmRole.ASSISTANT, text, null);
	}

	/**
	 * This message with another text. What else its source holds stays.
	 * @param text the text
	 * @return the new message
	 */
	public LlmMessage withText(String text) {
		return new LlmMessage(this.role, text, this.source);
	}

	/** The message without its text, which may be secret. */
	@Override
	public String toString() {
		return "LlmMessage[role=%s, text=%d characters]".formatted(this.role.value(), this.text.length());
	}

}
