package io.agenthooks.policy;

/**
 * A pattern that cannot be used. The message says what is wrong as a sentence, without
 * quoting the pattern.
 */
final class UnusablePatternException extends RuntimeException {

	private final String action;

	UnusablePatternException(String message, String action) {
		super(message);
		this.action = action;
	}

	/**
	 * What to write instead, as a sentence.
	 */
	String action() {
		return this.action;
	}

}
