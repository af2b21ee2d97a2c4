package io.agenthooks.pattern;

import java.util.HashMap;
import java.util.Map;

/**
 * Reads patterns in the syntax of {@link java.util.regex.Pattern}. Patterns read by one
 * reader share what had to be looked up in Unicode for them, so it is for many patterns,
 * and for one thread.
 * <p>
 * A pattern means what it means there, with {@code DOTALL} and {@code UNICODE_CASE}, and
 * is found in the same texts. Where versions of Java do not agree it is found where any
 * of them finds it, so that a rule does not depend on the Java that it runs on:
 * <ul>
 * <li>{@code \b} and {@code \B} hold if they do for letters, digits and underscores of
 * Unicode, as before Java 19, or for {@code \w}, as since then. In both a mark is part of
 * the word if it stands on a letter or digit.</li>
 * <li>{@code \p} knows the characters that the Java knows that it runs on.</li>
 * </ul>
 * It is also found where Java's engine does not go back to, although it is there: if a
 * round of a repetition is empty, more may follow ({@code (\Aa?){2}b} is in {@code ab}),
 * and a repeated {@code \R} may take half of a line break.
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
	 * @throws UnusablePatternException if it is not valid, is empty, cannot be searched
	 * for in linear time, or can be found in no text at all
	 */
	public TextPattern read(String pattern) {
		return new TextPattern(pattern, RegexParser.parse(pattern, this.javaSets));
	}

}
