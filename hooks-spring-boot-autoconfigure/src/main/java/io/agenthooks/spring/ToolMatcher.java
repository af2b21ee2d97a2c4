package io.agenthooks.spring;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.agenthooks.Glob;
import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.LiteralCharacters;
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.UnusablePatternException;

/**
 * Tells for which tools a hook is.
 */
final class ToolMatcher {

	private ToolMatcher() {
	}

	/**
	 * The tools that one of some globs matches.
	 */
	static Predicate<String> globs(List<String> globs) {
		return Glob.anyOf(globs.toArray(String[]::new));
	}

	/**
	 * The tools that a matcher is for. As in Claude Code, a matcher of names and bars
	 * only lists names; anything else is a regular expression that is searched in the
	 * name, so {@code Bash} is not {@code BashOutput}, but {@code Bash.*} is.
	 * @throws UnusablePatternException if the regular expression cannot be used
	 */
	static Predicate<String> matcher(String matcher) {
		if (matcher.equals("*")) {
			return (tool) -> true;
		}
		List<String> names = names(matcher);
		if (!names.isEmpty()) {
			return Set.copyOf(names)::contains;
		}
		LiteralCharacters.checkForVisibleTexts(matcher,
				(character) -> Character.getType(character) == Character.FORMAT);
		PatternSet pattern = PatternSet.of(new PatternReader().read(matcher));
		return (tool) -> pattern.find(tool, new Budget()) != null;
	}

	/**
	 * The only tools that a matcher can be for: none if it is a regular expression.
	 */
	static List<String> names(String matcher) {
		return (matcher.matches("[A-Za-z0-9_\\-]+(\\|[A-Za-z0-9_\\-]+)*")) ? List.of(matcher.split("\\|")) : List.of();
	}

	/**
	 * The only tools that some globs can be for: none if one of them is no plain name.
	 */
	static List<String> names(List<String> globs) {
		return (globs.stream().noneMatch((glob) -> glob.matches("(?s).*[*?\\[].*"))) ? globs : List.of();
	}

}
