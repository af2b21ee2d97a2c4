package io.agenthooks.spring.policy;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.policy.PolicyRule.Effect;

/**
 * A rule of a policy about model calls or runs.
 *
 * @param name Name of the rule in reasons, unless it is known by its position.
 * @param when Condition under which the rule matches, an expression in CEL.
 * @param unless Condition under which the rule does not match, an expression in CEL.
 * @param then What becomes of what matches: 'deny' or 'abort'.
 * @param reason Why, for the reader of the decision.
 */
record CallRule(@Nullable String name, @Nullable String when, @Nullable String unless, @Nullable Effect then,
		@Nullable String reason) {

	/**
	 * These rules, with a reason for each that has none.
	 */
	static List<CallRule> withReason(List<CallRule> rules, @Nullable String reason) {
		return rules.stream()
			.map((rule) -> (rule.reason() != null) ? rule
					: new CallRule(rule.name(), rule.when(), rule.unless(), rule.then(), reason))
			.toList();
	}

}
