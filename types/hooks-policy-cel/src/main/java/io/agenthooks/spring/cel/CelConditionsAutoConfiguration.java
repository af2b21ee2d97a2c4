package io.agenthooks.spring.cel;

import java.time.Clock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.RunHookFactory;

/**
 * Adds conditions to rules of policies, expressions to limits and alerts, and the type
 * {@code policy} for runs, which has nothing but conditions.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class CelConditionsAutoConfiguration {

	/** With the clock of the application: conditions may name the time. */
	@Bean
	CelLanguage policyRuleLanguage(ObjectProvider<Clock> clocks) {
		return new CelLanguage(clocks.getIfUnique(Clock::systemUTC));
	}

	@Bean
	@ConditionalOnMissingBean(name = "policyRunHookFactory")
	RunHookFactory<RunRulesConfig> policyRunHookFactory(CelLanguage language) {
		return RunHookFactory.of("policy", RunRulesConfig.class, (name, config) -> language.readRunRules(config));
	}

}
