package io.agenthooks.spring.cel;

import java.util.List;

import io.agenthooks.HookRule;
import io.agenthooks.policy.PolicyRule.Effect;
import io.agenthooks.toolcall.AskTerms;

/**
 * The combined result of the rules that matched a call.
 *
 * @param effect what is to become of it
 * @param reason why
 * @param rules these rules, in order
 * @param terms the terms of what they ask
 * @param about the arguments that their conditions read, by name
 */
record Finding(Effect effect, String reason, List<HookRule> rules, AskTerms terms, List<String> about) {

	HookRule rule() {
		return this.rules.get(0);
	}

}
