package io.agenthooks.spring;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.agenthooks.Glob;
import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.LiteralCharacters;
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.pattern.PatternSet;

final class ToolMatcher {

	private ToolMatcher() {
	}

	static Predicate<String> globs(List<String> globs) {
		return Glob.anyOf(globs.toArray(String[]::new));
	}

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

	static List<String> names(String matcher) {
		return (matcher.matches("[A-Za-z0-9_\\-]+(\\|[A-Za-z0-9_\\-]+)*")) ? List.of(matcher.split("\\|")) : List.of();
	}

	static List<String> names(List<String> globs) {
		return (globs.stream().noneMatch((glob) -> glob.matches("(?s).*[*?\\[].*"))) ? globs : List.of();
	}

}
