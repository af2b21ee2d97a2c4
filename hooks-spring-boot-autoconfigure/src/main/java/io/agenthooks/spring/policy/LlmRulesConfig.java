package io.agenthooks.spring.policy;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmRole;

/**
 * The rules of a policy for model calls.
 *
 * @param denyPatterns Regular expressions that must not be found in the text of a
 * message, or of the response.
 * @param denyDetectors Names of detectors, of 'secret', 'password', 'card', 'email',
 * 'phone', 'iban', 'ssn' and 'ip', which must not find something in the text of a
 * message, or of the response.
 * @param roles Roles of the messages that are searched, of 'system', 'user', 'assistant'
 * and 'tool'; all unless set.
 * @param rules Rules with conditions, for pre_call. All of them are asked, and the
 * strictest answer counts.
 * @param showPattern Whether the reason names the pattern that matches. Operators read it
 * in any case.
 * @param reason Why, in place of what the policy says itself, unless a rule has a reason
 * of its own.
 */
record LlmRulesConfig(@Nullable List<String> denyPatterns, @Nullable List<String> denyDetectors,
		@Nullable List<LlmRole> roles, @Nullable List<CallRule> rules, boolean showPattern, @Nullable String reason) {
}
