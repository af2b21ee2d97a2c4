package io.agenthooks.spring.security;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.security.authorization.AuthorizationManager;

import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolHookSource;
import io.agenthooks.spring.scope.NameSource;

/**
 * Auto-configuration for beans of Spring Security that decide about calls of tools.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = ToolCallHooksAutoConfiguration.class)
@ConditionalOnClass(AuthorizationManager.class)
public final class SecurityHooksAutoConfiguration {

	@Bean
	NameSource securityNames(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
		return new SecurityNames(beanFactory, environment);
	}

	@Bean
	ToolHookSource authorizationToolHooks(ConfigurableListableBeanFactory beanFactory) {
		return new AuthorizationToolHooks(beanFactory);
	}

}
