package io.agenthooks.pattern;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

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

	private static final int STEP = 1_000;

	/**
	 * The sets of a few kilobytes that were read last: many patterns have the same ones.
	 */
	private static final Map<String, CharSet> KNOWN = Collections.synchronizedMap(new Latest());

	private final Map<String, CharSet> javaSets;

	private final @Nullable Budget budget;

	public PatternReader() {
		this.javaSets = KNOWN;
		this.budget = null;
	}

	public PatternReader(Budget budget) {
		this.javaSets = new LookUps(budget);
		this.budget = budget;
	}

	/**
	 * Read a pattern.
	 * @param pattern the regular expression; {@code .} matches line breaks in it, and
	 * {@code (?i)} knows Unicode
	 * @return the pattern
	 * @throws UnusablePatternException if it is not valid, is empty, cannot be searched
	 * for in linear time, or can be found in no text at all
	 * @throws Budget.ExhaustedException if reading it costs more than the budget
	 */
	public TextPattern read(String pattern) {
		if (this.budget != null) {
			this.budget.spend((long) STEP * pattern.length());
		}
		TextPattern read = new TextPattern(pattern, RegexParser.parse(pattern, this.javaSets));
		if (this.budget != null) {
			this.budget.spend((long) STEP * read.regex().size());
		}
		return read;
	}

	private static final class Latest extends LinkedHashMap<String, CharSet> {

		private static final int MOST = 256;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, CharSet> eldest) {
			return size() > MOST;
		}

	}

	private static final class LookUps extends HashMap<String, CharSet> {

		private static final int COST = 12_000_000;

		private static final int COST_OF_CHARACTER = 400_000;

		private final transient Budget budget;

		LookUps(Budget budget) {
			this.budget = budget;
		}

		@Override
		public CharSet computeIfAbsent(String set, Function<? super String, ? extends CharSet> lookUp) {
			if (!containsKey(set)) {
				this.budget.spend(COST + (long) COST_OF_CHARACTER * set.length());
			}
			return super.computeIfAbsent(set, lookUp);
		}

	}

}
