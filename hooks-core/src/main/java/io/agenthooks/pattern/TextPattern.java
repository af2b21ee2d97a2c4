package io.agenthooks.pattern;

/**
 * A pattern that can be searched for, made by a {@link PatternReader}.
 *
 * @since 0.1.0
 */
public final class TextPattern {

	private final String text;

	private final Regex regex;

	TextPattern(String text, Regex regex) {
		this.text = text;
		this.regex = regex;
	}

	Regex regex() {
		return this.regex;
	}

	/**
	 * The pattern as it was written.
	 */
	@Override
	public String toString() {
		return this.text;
	}

}
