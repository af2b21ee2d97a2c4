package io.agenthooks.policy;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.TextPattern;

interface TextSearch {

	/** Find the name of what must not be in a text, or {@code null}. */
	@Nullable String find(String text, String clean, Budget budget);

	static TextSearch of(PatternSet patterns) {
		return (text, clean, budget) -> {
			TextPattern pattern = SearchText.find(patterns, text, clean, budget);
			return (pattern != null) ? pattern.toString() : null;
		};
	}

}
