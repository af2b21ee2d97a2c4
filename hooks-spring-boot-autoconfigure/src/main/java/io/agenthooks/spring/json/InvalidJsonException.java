package io.agenthooks.spring.json;

/**
 * A text is not the JSON that it should be. The message does not quote it, and is the
 * rest of a sentence that begins with what the text is.
 *
 * @since 0.1.0
 */
public final class InvalidJsonException extends RuntimeException {

	/**
	 * Create the exception.
	 * @param message what is wrong
	 */
	public InvalidJsonException(String message) {
		super(message, null, false, false);
	}

	/**
	 * The message, which is never missing.
	 */
	@Override
	public String getMessage() {
		return String.valueOf(super.getMessage());
	}

}
