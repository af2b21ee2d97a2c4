package io.agenthooks.policy;

import java.util.HashMap;
import java.util.List;
import java.util.function.Predicate;

import io.agenthooks.InvalidHookConfigException;

/**
 * A single pattern with the syntax and the promises of those of a
 * {@linkplain PolicyToolHook policy}: it is found anywhere in a text, in time that grows
 * with the text alone.
 *
 * @since 0.1.0
 */
public final class TextPattern implements Predicate<String> {

	private static final long CELLS = 1 << 16;

	private final String pattern;

	private final LazyDfa automaton;

	private TextPattern(String pattern, LazyDfa automaton) {
		this.pattern = pattern;
		this.automaton = automaton;
	}

	/**
	 * Compile a pattern.
	 * @param pattern the regular expression
	 * @return the pattern
	 * @throws InvalidHookConfigException if it is not valid or not supported
	 */
	public static TextPattern compile(String pattern) {
		try {
			Regex regex = RegexParser.parse(pattern, new HashMap<>()).trimmed();
			return new TextPattern(pattern, new LazyDfa(List.of(regex), CELLS));
		}
		catch (UnusablePatternException ex) {
			throw new InvalidHookConfigException(List
				.of(new InvalidHookConfigException.Problem(List.of(), String.valueOf(ex.getMessage()), ex.action())));
		}
	}

	/**
	 * Whether the pattern is found in a text.
	 * @param text the text
	 * @return whether it is found
	 * @throws RuntimeException if the text is so long that the search is given up, which
	 * denies a call if a hook does it
	 */
	@Override
	public boolean test(String text) {
		return this.automaton.search(text, true, new Budget()) != null;
	}

	@Override
	public String toString() {
		return this.pattern;
	}

}
