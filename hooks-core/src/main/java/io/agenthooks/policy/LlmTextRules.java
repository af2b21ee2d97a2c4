package io.agenthooks.policy;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.DescribedHook.ListedRule;
import io.agenthooks.HookRule;
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

	private final List<String> written;

	/** Where options are written. */
	private final Function<List<String>, @Nullable String> places;

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
		this.written = (patterns != null) ? patterns : List.of();
		this.places = (path) -> null;
		this.patterns = list.read(List.of(OPTION), (patterns != null) ? patterns : List.of(), PatternList.CELLS);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	private LlmTextRules(LlmTextRules rules, Function<List<String>, @Nullable String> places) {
		this.patterns = rules.patterns;
		this.written = rules.written;
		this.places = places;
	}

	LlmTextRules writtenAt(Function<List<String>, @Nullable String> places) {
		return new LlmTextRules(this, places);
	}

	List<ListedRule> listed() {
		return ListedRules.ofPatterns(OPTION, this.places);
	}

	private HookRule ruleOf(String pattern) {
		int position = this.written.indexOf(pattern);
		return new HookRule(OPTION,
				this.places.apply((position < 0) ? List.of(OPTION) : List.of(OPTION, String.valueOf(position))));
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
					return new LlmDecision.Deny("The policy denies this %s: it matches the pattern '%s'".formatted(what,
							SafeText.name(pattern.toString())), null, ruleOf(pattern.toString()));
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
