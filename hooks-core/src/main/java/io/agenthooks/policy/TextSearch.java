package io.agenthooks.policy;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.TextPattern;

/**
 * Searches a text for what must not be in it.
 */
interface TextSearch {

	/**
	 * Search a text.
	 * @param text the text as it is
	 * @param clean the same text once it is {@linkplain SearchText#clean clean}
	 * @param budget what the search may cost
	 * @return the name of what is found, or {@code null}
	 * @throws Budget.ExhaustedException if there is too much to search
	 */
	@Nullable String find(String text, String clean, Budget budget);

	/**
	 * A search for patterns, which are named as they are written.
	 */
	static TextSearch of(PatternSet patterns) {
		return (text, clean, budget) -> {
			TextPattern pattern = SearchText.find(patterns, text, clean, budget);
			return (pattern != null) ? pattern.toString() : null;
		};
	}

}
