package io.agenthooks.pattern;

/**
 * A pattern that cannot be used. The message says what is wrong as a sentence, without
 * quoting the pattern.
 *
 * @since 0.1.0
 */
public final class UnusablePatternException extends RuntimeException {

	private final String action;

	UnusablePatternException(String message, String action) {
		super(message);
		this.action = action;
	}

	/**
	 * Return what to write instead.
	 * @return a sentence
	 */
	public String getAction() {
		return this.action;
	}

}
