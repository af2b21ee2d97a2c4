package io.agenthooks.spring.assembly;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Stops the start with a Spring Boot that is older than what the starter is made for,
 * before a class is missed that it does not have.
 */
final class SpringBootVersionInitializer
		implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {

	private static final int MAJOR = 4;

	private static final int MINOR = 1;

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		check(SpringBootVersion.getVersion());
	}

	/**
	 * Refuse a version that is too old. One that cannot be read, as in an image that was
	 * put together from class files, is not.
	 */
	static void check(@Nullable String version) {
		String[] parts = String.valueOf(version).split("\\.", -1);
		try {
			int major = Integer.parseInt(parts[0]);
			if (major < MAJOR || (major == MAJOR && parts.length > 1 && Integer.parseInt(parts[1]) < MINOR)) {
				throw new OldSpringBootException(String.valueOf(version));
			}
		}
		catch (NumberFormatException ex) {
			// Nothing is known.
		}
	}

	/**
	 * The Spring Boot of the application is too old.
	 */
	static final class OldSpringBootException extends RuntimeException {

		OldSpringBootException(String version) {
			super("Agent Hooks needs Spring Boot %d.%d or later, and this application has %s.".formatted(MAJOR, MINOR,
					version));
		}

	}

}
