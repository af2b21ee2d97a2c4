package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.DescribedHook;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.LocatableHook;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;

/**
 * Withholds responses of models by patterns and detectors in their text. Patterns are
 * those of {@link PolicyToolHook}; a response that is too large to be searched is
 * withheld.
 *
 * @since 0.1.0
 */
public final class PolicyLlmResponseHook implements LlmResponseHook, LocatableHook, DescribedHook {

	private final LlmTextRules rules;

	private final Function<List<String>, @Nullable String> places;

	/**
	 * Create a hook.
	 * @param config what to deny; it has no roles
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public PolicyLlmResponseHook(LlmPolicyConfig config) {
		List<Problem> problems = new ArrayList<>();
		if (config.roles() != null) {
			problems.add(new Problem(List.of("roles"), "A response has no roles.", "Remove the list."));
		}
		this.rules = new LlmTextRules(config, problems);
		this.places = (path) -> null;
	}

	private PolicyLlmResponseHook(LlmTextRules rules, Function<List<String>, @Nullable String> places) {
		this.rules = rules;
		this.places = places;
	}

	@Override
	public PolicyLlmResponseHook writtenAt(Function<List<String>, @Nullable String> places) {
		return new PolicyLlmResponseHook(this.rules, places);
	}

	@Override
	public LlmDecision onResponse(LlmCall call, LlmResponse response) {
		return this.rules.decide("response", List.of(response.text()), this.places);
	}

	@Override
	public List<ListedRule> ruleList() {
		return this.rules.listed(this.places);
	}

}
