package io.agenthooks.spring.policy;

import io.agenthooks.HookRule;
import io.agenthooks.policy.PolicyRule.Effect;

/**
 * What some rules want of a call.
 *
 * @param effect what is to become of it
 * @param reason why
 * @param rule the first of them
 */
record Finding(Effect effect, String reason, HookRule rule) {

}
