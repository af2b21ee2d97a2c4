package io.agenthooks.spring.policy;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a policy denies of runs.
 *
 * @param rules Rules with conditions. All of them are asked, and the strictest answer
 * counts.
 */
record RunRulesConfig(@Nullable List<CallRule> rules) {
}
