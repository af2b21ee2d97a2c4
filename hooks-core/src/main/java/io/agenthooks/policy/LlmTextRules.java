package io.agenthooks.policy;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.SafeText;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.TextPattern;

/**
 * Searches texts that go to a model or come from it.
 */
final class LlmTextRules {

	private static final String OPTION = "deny_patterns";

	private final PatternSet patterns;

	/**
	 * Create the rules.
	 * @param problems what else is wrong with the configuration
	 * @throws InvalidHookConfigException if anything is
	 */
	LlmTextRules(@Nullable List<String> patterns, List<Problem> problems) {
		PatternList list = new PatternList(problems);
		if (patterns == null || patterns.isEmpty()) {
			problems.add(new Problem(List.of(OPTION), "There is no pattern, so the policy would approve every call.",
					"Write at least one."));
		}
		this.patterns = list.read(List.of(OPTION), (patterns != null) ? patterns : List.of(), PatternList.CELLS);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	/**
	 * Search some texts.
	 * @param what what they are, for the reason of a denial
	 */
	LlmDecision decide(String what, Iterable<String> texts) {
		try {
			Budget budget = new Budget();
			for (String text : texts) {
				TextPattern pattern = SearchText.find(this.patterns, text, budget);
				if (pattern != null) {
					return LlmDecision.deny("The policy denies this %s: it matches the pattern '%s'".formatted(what,
							SafeText.name(pattern.toString())));
				}
			}
			return LlmDecision.approve();
		}
		catch (Budget.ExhaustedException ex) {
			return LlmDecision
				.deny("The policy denies this %s: it is too large to be searched in time".formatted(what));
		}
	}

}
