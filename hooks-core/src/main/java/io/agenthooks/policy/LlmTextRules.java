package io.agenthooks.policy;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.DescribedHook.ListedRule;
import io.agenthooks.HookRule;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.TextPattern;

final class LlmTextRules {

	private static final String OPTION = "deny_patterns";

	private final PatternSet patterns;

	private final Detectors detectors;

	private final List<String> options;

	private final List<String> written;

	private final PolicyTexts texts;

	LlmTextRules(LlmPolicyConfig config, List<Problem> problems) {
		List<String> patterns = config.denyPatterns();
		PatternList list = new PatternList(problems);
		boolean hasDetectors = config.denyDetectors() != null && !config.denyDetectors().isEmpty();
		if ((patterns == null && !hasDetectors) || (patterns != null && patterns.isEmpty())) {
			problems.add(new Problem(List.of(OPTION), "There is no pattern, so the policy would approve every call.",
					"Write at least one."));
		}
		this.detectors = Detectors.read("deny_detectors", config.denyDetectors(), "nothing would be denied", problems);
		this.options = Stream.of((patterns != null) ? OPTION : null, (hasDetectors) ? "deny_detectors" : null)
			.filter(Objects::nonNull)
			.toList();
		if (config.reason() != null && config.reason().isBlank()) {
			problems.add(new Problem(List.of("reason"), "The reason is blank.", "Write it, or remove it."));
		}
		this.texts = new PolicyTexts(config.reason(), config.showPattern());
		this.written = (patterns != null) ? patterns : List.of();
		this.patterns = list.read(List.of(OPTION), (patterns != null) ? patterns : List.of(), PatternList.CELLS);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	List<ListedRule> listed(Function<List<String>, @Nullable String> places) {
		return ListedRules.ofTexts(this.options, this.texts.reason(), places);
	}

	private HookRule ruleOf(String pattern, Function<List<String>, @Nullable String> places) {
		int position = this.written.indexOf(pattern);
		return new HookRule(OPTION,
				places.apply((position < 0) ? List.of(OPTION) : List.of(OPTION, String.valueOf(position))));
	}

	LlmDecision decide(String what, Iterable<String> texts, Function<List<String>, @Nullable String> places) {
		try {
			Budget budget = new Budget();
			for (String text : texts) {
				TextPattern pattern = SearchText.find(this.patterns, text, budget);
				Detectors.Finding held = this.detectors.find(text, budget);
				if (held != null) {
					return new LlmDecision.Deny(
							this.texts.of(null, "The policy denies this %s: it holds %s".formatted(what, held.what())),
							null, held.rule(places));
				}
				if (pattern != null) {
					String found = pattern.toString();
					return new LlmDecision.Deny(
							this.texts.ofPattern(null, "The policy denies this %s".formatted(what), null, found), null,
							PolicyTexts.ruleOf(ruleOf(found, places), null, found));
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
