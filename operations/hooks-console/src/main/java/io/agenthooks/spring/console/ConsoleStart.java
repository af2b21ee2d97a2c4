package io.agenthooks.spring.console;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.agenthooks.spring.web.InvalidEndpointException;

/**
 * Stops the start if everybody could open the console, or no one could use it.
 *
 * @param endpoints {@code null} without Spring Boot Actuator
 * @param server what serves the page, or {@code null} if nothing can
 */
record ConsoleStart(ConsoleConfig config, boolean web, @Nullable ConsoleServer server,
		@Nullable ConsoleEndpoints endpoints, boolean otherPort) implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ConsoleStart.class);

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
			checkEndpoints(path, this.server.access());
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
	 * A user who may not open the page could read the same at the endpoints that it asks.
	 */
	private void checkEndpoints(String path, PathAccess access) {
		List<String> open = pathsFor(PathAccess.Access.EVERYBODY, access);
		if (!open.isEmpty()) {
			logger.warn(
					"The console at {} has a login, but {} beside it {} open to everybody without one. "
							+ "Add '/actuator/**' (or what 'management.endpoints.web.base-path' is) to the "
							+ "securityMatcher of a SecurityFilterChain bean, and ask for an authority there",
					path, String.join(", ", open), (open.size() == 1) ? "is" : "are");
		}
		List<String> shared = pathsFor(PathAccess.Access.ANY_USER, access);
		if (!shared.isEmpty() && access.of(path) == PathAccess.Access.RESTRICTED) {
			logger.warn("The console at {} needs an authority, but everybody who logs in may ask {} beside it. "
					+ "Ask for the same authority there, by hasAuthority(\"{}\") in the SecurityFilterChain bean of the actuator",
					path, String.join(", ", shared), this.config.authorityOrDefault());
		}
	}

	private List<String> pathsFor(PathAccess.Access whom, PathAccess access) {
		return (this.endpoints != null)
				? this.endpoints.paths().stream().filter((path) -> access.of(path) == whom).toList() : List.of();
	}

	record ConsoleServer(boolean secured, PathAccess access) {
	}

}
