package io.agenthooks.spring.console;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.agenthooks.spring.web.InvalidEndpointException;

/**
 * Stops the start if everybody could open the console, or no one could use it.
 */
final class ConsoleStart implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ConsoleStart.class);

	private final ConsoleConfig config;

	private final boolean web;

	private final @Nullable ConsoleServer server;

	private final boolean otherPort;

	/**
	 * Create the check.
	 * @param config what is configured
	 * @param web whether the application answers requests
	 * @param server what serves the page, or {@code null} if nothing can
	 * @param otherPort whether the endpoints are at another port, or at none
	 */
	ConsoleStart(ConsoleConfig config, boolean web, @Nullable ConsoleServer server, boolean otherPort) {
		this.config = config;
		this.web = web;
		this.server = server;
		this.otherPort = otherPort;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.web) {
			logger.warn("The console is not served: this is not a web application");
			return;
		}
		if (this.server == null) {
			throw new InvalidEndpointException("'hooks.console.enabled' is true, but nothing can serve the page.",
					"Add 'spring-boot-starter-webmvc' or 'spring-boot-starter-webflux', or set "
							+ "'hooks.console.enabled' to false.");
		}
		if (this.otherPort) {
			throw new InvalidEndpointException(
					"The console cannot reach the actuator: 'management.server.port' is not the port of the "
							+ "application, and a page may only ask where it comes from.",
					"Remove 'management.server.port', or set 'hooks.console.enabled' to false and use the endpoints "
							+ "themselves.");
		}
		String path = this.config.pathOrDefault();
		if (this.server.secured()) {
			logger.info("The console is at {}; Spring Security decides who may open it", path);
			return;
		}
		if (!this.config.isInsecure()) {
			throw new InvalidEndpointException(
					"The console at '%s' would be open to everybody: Spring Security is missing, switched off, or has its filter chains from elsewhere than beans."
						.formatted(path),
					"Add 'spring-boot-starter-security' and do not exclude its auto-configuration. If nobody else can "
							+ "reach the application, set 'hooks.console.insecure' to true.");
		}
		logger.warn("The console at {} is open to everybody who reaches the application, because "
				+ "'hooks.console.insecure' is true", path);
	}

	/**
	 * What serves the page.
	 *
	 * @param secured whether Spring Security sees all requests first
	 */
	record ConsoleServer(boolean secured) {
	}

}
