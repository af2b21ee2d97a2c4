package io.agenthooks.pattern;

import java.util.HashMap;
import java.util.Map;

/**
 * Reads patterns in the syntax of {@link java.util.regex.Pattern}. Patterns read by one
 * reader share what had to be looked up in Unicode for them, so it is for many patterns,
 * and for one thread.
 *
 * @since 0.1.0
 */
public final class PatternReader {

	private final Map<String, CharSet> javaSets = new HashMap<>();

	/**
	 * Read a pattern.
	 * @param pattern the regular expression; {@code .} matches line breaks in it, and
	 * {@code (?i)} knows Unicode
	 * @return the pattern
	 * @throws UnusablePatternException if it is not valid, is empty, or cannot be
	 * searched for in linear time
	 */
	public TextPattern read(String pattern) {
		return new TextPattern(pattern, RegexParser.parse(pattern, this.javaSets));
	}

}
