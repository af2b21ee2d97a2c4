package io.agenthooks.spring.json;

import org.jspecify.annotations.Nullable;

/**
 * A text is not the JSON that it should be. The message does not quote it, and is the
 * rest of a sentence that begins with what the text is.
 *
 * @since 0.1.0
 */
public final class InvalidJsonException extends RuntimeException {

	private final @Nullable String word;

	/**
	 * Create the exception.
	 * @param message what is wrong
	 */
	public InvalidJsonException(String message) {
		this(message, null);
	}

	/**
	 * Create the exception.
	 * @param message what is wrong
	 * @param word the word in the text that nobody knows, or {@code null} for none
	 */
	public InvalidJsonException(String message, @Nullable String word) {
		super(message, null, false, false);
		this.word = word;
	}

	/**
	 * The word in the text that nobody knows, as it stands there.
	 * @return the word, or {@code null} if that is not what is wrong
	 */
	public @Nullable String word() {
		return this.word;
	}

	/** The message, which is never missing. */
	@Override
	public String getMessage() {
		return String.valueOf(super.getMessage());
	}

}
