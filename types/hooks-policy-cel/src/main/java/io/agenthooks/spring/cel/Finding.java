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
 * @param rule the first of them
 * @param terms the terms of what they ask
 * @param about the arguments that their conditions read, by name
 */
record Finding(Effect effect, String reason, HookRule rule, AskTerms terms, List<String> about) {

}
