package io.agenthooks.spring.health;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.assembly.HealthOfHooks;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.external.LostNotifications;
import io.agenthooks.spring.external.SilentDeciders;
import io.agenthooks.spring.scope.UnmatchedNames;

/**
 * Adds the health of hooks to that of the application, as {@code toolHooks}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
		RunHooksAutoConfiguration.class })
@ConditionalOnClass(name = { "org.springframework.boot.health.contributor.HealthIndicator",
		"org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator" })
public final class HealthHooksAutoConfiguration {

	/** The health of the application is known, and is to know the hooks. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(HealthOfHooks.class)
	@ConditionalOnEnabledHealthIndicator("toolhooks")
	static class Indicator {

		@Bean
		@ConditionalOnMissingBean(name = { "toolHooksHealthIndicator", "toolHooksHealthContributor" })
		ToolHooksHealthIndicator toolHooksHealthIndicator(HealthOfHooks hooks, UnmatchedNames unmatched,
				SilentDeciders silent, LostNotifications lost) {
			return new ToolHooksHealthIndicator(hooks, unmatched, silent, lost);
		}

	}

}
