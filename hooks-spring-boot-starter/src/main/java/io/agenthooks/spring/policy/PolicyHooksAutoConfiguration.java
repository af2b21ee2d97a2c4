package io.agenthooks.spring.policy;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.agenthooks.policy.LlmPolicyConfig;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyLlmHook;
import io.agenthooks.policy.PolicyLlmResponseHook;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Adds the types {@code policy}, which decides by rules, and {@code passthrough}, which
 * approves everything.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class PolicyHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "policyToolHookFactory")
	ToolHookFactory<PolicyConfig> policyToolHookFactory() {
		return ToolHookFactory.of("policy", PolicyConfig.class, PolicyToolHook::new);
	}

	@Bean
	@ConditionalOnMissingBean(name = "policyLlmHookFactory")
	LlmHookFactory<LlmPolicyConfig> policyLlmHookFactory() {
		return LlmHookFactory.of("policy", LlmPolicyConfig.class, (name, config) -> new PolicyLlmHook(config),
				(name, config) -> new PolicyLlmResponseHook(config));
	}

	@Bean
	@ConditionalOnMissingBean(name = "passthroughToolHookFactory")
	ToolHookFactory<NoOptions> passthroughToolHookFactory() {
		PreToolHook passthrough = (call) -> ToolDecision.approve();
		return ToolHookFactory.of("passthrough", NoOptions.class, (options) -> passthrough);
	}

	/**
	 * The configuration of a hook that has none.
	 */
	record NoOptions() {
	}

}
