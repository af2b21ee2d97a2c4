package io.agenthooks.spring.policy;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.policy.LlmPolicyConfig;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyLlmHook;
import io.agenthooks.policy.PolicyLlmResponseHook;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.expression.MissingLanguage;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Adds the types {@code policy}, which decides by rules, and {@code passthrough}, which
 * approves everything.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ImportRuntimeHints(RulePackHints.class)
public final class PolicyHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "policyToolHookFactory")
	ToolHookFactory<PolicyConfig> policyToolHookFactory(ObjectProvider<RuleLanguage> languages) {
		return ToolHookFactory.of("policy", PolicyConfig.class,
				(name, config) -> RulePacks.policy(name, config, (rules) -> language(languages).readToolRules(rules)));
	}

	@Bean
	@ConditionalOnMissingBean(name = "policyLlmHookFactory")
	LlmHookFactory<LlmRulesConfig> policyLlmHookFactory(ObjectProvider<RuleLanguage> languages) {
		return LlmHookFactory.of("policy", LlmRulesConfig.class, (name, config) -> llmHook(config, languages),
				(name, config) -> llmResponseHook(config));
	}

	private static LlmHook llmHook(LlmRulesConfig config, ObjectProvider<RuleLanguage> languages) {
		List<CallRule> rules = config.rules();
		LlmPolicyConfig lists = lists(config);
		if (rules == null && config.denyPatterns() == null && config.denyDetectors() == null) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of(), "The policy has no rule, so it would approve every call.",
							"Write 'deny_patterns', 'deny_detectors' or 'rules'.")));
		}
		if (rules == null) {
			return new PolicyLlmHook(lists);
		}
		boolean hasLists = config.denyPatterns() != null || config.denyDetectors() != null || config.roles() != null
				|| config.showPattern();
		return language(languages).readLlmRules(rules, config.reason(), (hasLists) ? new PolicyLlmHook(lists) : null);
	}

	/** The language, which is asked for only if there are rules. */
	private static RuleLanguage language(ObjectProvider<RuleLanguage> languages) {
		return languages.getIfAvailable(() -> {
			throw MissingLanguage.of("rules");
		});
	}

	private static LlmHook llmResponseHook(LlmRulesConfig config) {
		if (config.rules() != null) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of("rules"),
					"Rules decide about the call, before the model is asked.", "Move them to pre_call.")));
		}
		return new PolicyLlmResponseHook(lists(config));
	}

	private static LlmPolicyConfig lists(LlmRulesConfig config) {
		return new LlmPolicyConfig(config.denyPatterns(), config.roles(), config.showPattern(), config.reason(),
				config.denyDetectors());
	}

	@Bean
	@ConditionalOnMissingBean(name = "passthroughToolHookFactory")
	ToolHookFactory<NoOptions> passthroughToolHookFactory() {
		return ToolHookFactory.of("passthrough", NoOptions.class, (options) -> new Passthrough());
	}

	private record Passthrough() implements PreToolHook {

		@Override
		public boolean mayAsk() {
			return false;
		}

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

		@Override
		public boolean isExplainable() {
			return true;
		}

	}

	/** The configuration of a hook that has none. */
	record NoOptions() {
	}

}
