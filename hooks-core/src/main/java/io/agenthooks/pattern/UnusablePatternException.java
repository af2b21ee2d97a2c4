package io.agenthooks.pattern;

/**
 * A pattern that cannot be used. The message says what is wrong as a sentence, without
 * quoting the pattern.
 *
 * @since 0.1.0
 */
public final class UnusablePatternException extends RuntimeException {

	private final String action;

	private final boolean inNoText;

	UnusablePatternException(String message, String action) {
		this(message, action, false);
	}

	private UnusablePatternException(String message, String action, boolean inNoText) {
		super(message);
		this.action = action;
		this.inNoText = inNoText;
	}

	static UnusablePatternException inNoText(String why, String action) {
		return new UnusablePatternException("The pattern can be found in no text: " + why, action, true);
	}

	/**
	 * Whether the pattern can be read, and is found in no text.
	 * @return whether it never matches
	 */
	public boolean isInNoText() {
		return this.inNoText;
	}

	/**
	 * Return what to write instead.
	 * @return a sentence
	 */
	public String getAction() {
		return this.action;
	}

}
