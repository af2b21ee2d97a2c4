package io.agenthooks.spring.webhook;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * Reactor Netty would write a stack trace for each broken connection, where hooks report
 * failures in one line. It is a default: {@code logging.level} of the application wins.
 */
final class QuietHttpClientEnvironmentPostProcessor implements EnvironmentPostProcessor, Ordered {

	static final String LEVEL = "logging.level.reactor.netty.http.client.HttpClientConnect";

	@Override
	public int getOrder() {
		// All files are read.
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		if (environment.getPropertySources()
			.stream()
			.filter(EnumerablePropertySource.class::isInstance)
			.map(EnumerablePropertySource.class::cast)
			.anyMatch(QuietHttpClientEnvironmentPostProcessor::hasWebhook)) {
			DefaultPropertiesPropertySource.addOrMerge(Map.of(LEVEL, "error"), environment.getPropertySources());
		}
	}

	private static boolean hasWebhook(EnumerablePropertySource<?> source) {
		return Stream.of(source.getPropertyNames())
			.filter((name) -> name.toLowerCase(Locale.ROOT).startsWith("hooks")
					&& name.toLowerCase(Locale.ROOT).endsWith("type"))
			.anyMatch((name) -> "webhook".equals(source.getProperty(name)));
	}

}
