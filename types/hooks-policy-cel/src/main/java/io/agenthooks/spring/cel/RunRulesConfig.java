package io.agenthooks.spring.cel;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.policy.CallRule;

/**
 * The rules of a policy for runs.
 *
 * @param rules Rules with conditions. All of them are asked, and the strictest answer
 * counts.
 * @param reason Why, in place of what the policy says itself, unless a rule has a reason
 * of its own.
 */
record RunRulesConfig(@Nullable List<CallRule> rules, @Nullable String reason) {
}
