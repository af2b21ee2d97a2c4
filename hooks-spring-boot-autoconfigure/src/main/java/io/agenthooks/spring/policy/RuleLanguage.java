package io.agenthooks.spring.policy;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.policy.PolicyLlmHook;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.policy.ToolRules;

/**
 * Reads the rules of policies. It is a bean if the module of their language is there.
 *
 * @since 0.1.0
 */
public interface RuleLanguage {

	/**
	 * Read the rules of a policy about calls of tools.
	 * @param rules the rules as they are written
	 * @return the rules, ready to be asked
	 * @throws InvalidHookConfigException if any has a mistake
	 */
	ToolRules readToolRules(List<PolicyRule> rules);

	/**
	 * Read the rules of a policy about calls of models.
	 * @param rules the rules as they are written
	 * @param reason the reason of each rule that has none, or {@code null}
	 * @param lists the lists of the same policy, or {@code null} if it has none
	 * @return the policy, of which what is stricter counts
	 * @throws InvalidHookConfigException if any rule has a mistake, or there is none
	 */
	LlmHook readLlmRules(List<CallRule> rules, @Nullable String reason, @Nullable PolicyLlmHook lists);

}
