package io.agenthooks.spring.actuator;

import java.util.Objects;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HooksReader;

/**
 * Reads {@code hooks.journal} even if the endpoint is not exposed, so that mistakes are
 * found at the start.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class JournalAutoConfiguration {

	private static final FeatureOptions OPTIONS = new FeatureOptions("journal", JournalConfig.class);

	@Bean
	static LazyInitializationExcludeFilter journalLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(JournalConfigHolder.class);
	}

	@Bean
	static FeatureOptions hooksJournalOptions() {
		return OPTIONS;
	}

	@Bean
	JournalConfigHolder hooksJournalConfig(ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory) {
		JournalConfig config = HooksReader.readFeature(OPTIONS, JournalConfig.class, environment, beanFactory);
		return new JournalConfigHolder(Objects.requireNonNullElse(config, JournalConfig.DEFAULT));
	}

	/** Keeps the configuration from being one more bean of properties. */
	record JournalConfigHolder(JournalConfig config) {
	}

}
