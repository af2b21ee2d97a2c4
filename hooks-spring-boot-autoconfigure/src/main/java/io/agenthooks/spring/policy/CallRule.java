package io.agenthooks.spring.policy;

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
 * @since 0.1.0
 */
public record CallRule(@Nullable String name, @Nullable String when, @Nullable String unless, @Nullable Effect then,
		@Nullable String reason) {
}
