package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.DescribedHook;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.LocatableHook;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmRole;
import io.agenthooks.llmcall.PreLlmHook;

/**
 * Denies model calls by patterns and detectors in the text of their messages. Patterns
 * are those of {@link PolicyToolHook}; a prompt that is too large to be searched is
 * denied.
 *
 * @since 0.1.0
 */
public final class PolicyLlmHook implements PreLlmHook, LocatableHook, DescribedHook {

	private final LlmTextRules rules;

	private final Function<List<String>, @Nullable String> places;

	private final Set<LlmRole> roles;

	/**
	 * Create a hook.
	 * @param config what to deny
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public PolicyLlmHook(LlmPolicyConfig config) {
		List<Problem> problems = new ArrayList<>();
		List<LlmRole> roles = config.roles();
		if (roles != null && roles.isEmpty()) {
			problems.add(new Problem(List.of("roles"), "The list is empty, so no message would be searched.",
					"Fill it, or remove it."));
		}
		this.roles = (roles == null || roles.isEmpty()) ? EnumSet.allOf(LlmRole.class) : EnumSet.copyOf(roles);
		this.rules = new LlmTextRules(config, problems);
		this.places = (path) -> null;
	}

	private PolicyLlmHook(LlmTextRules rules, Set<LlmRole> roles, Function<List<String>, @Nullable String> places) {
		this.rules = rules;
		this.places = places;
		this.roles = roles;
	}

	@Override
	public PolicyLlmHook writtenAt(Function<List<String>, @Nullable String> places) {
		return new PolicyLlmHook(this.rules, this.roles, places);
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		return this.rules.decide("prompt",
				call.messages()
					.stream()
					.filter((message) -> this.roles.contains(message.role()))
					.map(LlmMessage::text)
					.toList(),
				this.places);
	}

	/** A policy depends on the call alone. */
	@Override
	public boolean isRepeatable() {
		return true;
	}

	@Override
	public List<ListedRule> ruleList() {
		return this.rules.listed(this.places);
	}

}
