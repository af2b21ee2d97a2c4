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

	public TextPattern writtenAs(String text) {
		return new TextPattern(text, this.regex);
	}

	/**
	 * Whether the pattern is found somewhere without any character, as {@code a*} and
	 * {@code ^} are.
	 * @return whether there may be nothing at the place where it is found
	 */
	public boolean isFoundWithoutCharacters() {
		return this.regex.isFoundWithoutCharacters();
	}

	/**
	 * Whether the pattern is found in any text, as {@code a*} is: there may be nothing
	 * where it is found, and it says no place.
	 * @return whether no text is without it
	 */
	public boolean isInEachText() {
		return this.regex.matchesEmpty();
	}

	/**
	 * Whether the pattern is found only in texts with a character of a range.
	 * @param first the first character of the range
	 * @param last the last one
	 * @return whether no other text has it
	 */
	public boolean needsAnyOf(char first, char last) {
		return !this.regex.hasAnyOf(CharSet.range(first, last).negate());
	}

	@Override
	public String toString() {
		return this.text;
	}

}
