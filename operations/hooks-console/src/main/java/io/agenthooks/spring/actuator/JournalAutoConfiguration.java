package io.agenthooks.spring.actuator;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.binding.FeatureOptions;

/**
 * Reads {@code hooks.journal} even if the endpoint is not exposed, so that mistakes are
 * found at the start.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class JournalAutoConfiguration {

	@Bean
	FeatureOptions<JournalConfig> hooksJournalOptions(ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new FeatureOptions<>("journal", JournalConfig.class, JournalConfig.DEFAULT, environment, beanFactory);
	}

}
