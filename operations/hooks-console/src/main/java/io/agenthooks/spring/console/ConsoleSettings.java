package io.agenthooks.spring.console;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.web.CsrfHeader;

/**
 * The settings that the page needs before it can ask: where the endpoints are, what they
 * allow, and how a request shows that it comes from the page.
 *
 * @param endpoints {@code null} without Spring Boot Actuator
 * @param approvals the path where people answer questions, seen from the folder of the
 * page, or {@code null} if nobody is asked
 */
record ConsoleSettings(@Nullable ConsoleEndpoints endpoints, @Nullable String approvals, boolean insecure) {

	/**
	 * The settings in JSON. The user, and the token against forged requests, may be
	 * {@code null}.
	 */
	byte[] write(@Nullable String user, @Nullable CsrfHeader csrf) {
		Map<String, @Nullable Object> settings = new LinkedHashMap<>();
		settings.put("actuator", this.endpoints != null);
		settings.put("endpoints", (this.endpoints != null) ? this.endpoints.describe() : Map.of());
		settings.put("approvals", this.approvals);
		settings.put("insecure", this.insecure);
		settings.put("user", user);
		settings.put("csrf", (csrf != null) ? csrf.toJson() : null);
		return StrictJson.write(settings);
	}

}
