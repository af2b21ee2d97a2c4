package io.agenthooks.policy;

/**
 * A value of a call is not what a rule takes it for, or its readers do not agree what it
 * is.
 *
 * @since 0.1.0
 */
public final class UnreadableValueException extends Exception {

	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param message why, without the value
	 */
	public UnreadableValueException(String message) {
		super(message, null, false, false);
	}

	/**
	 * Return the reason why it cannot be read.
	 * @return the reason, without the value
	 */
	public String reason() {
		return String.valueOf(getMessage());
	}

}
