package io.agenthooks.spring.actuator;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Replies of the endpoints. Those that say what is wrong have a body of their own,
 * because that of Spring Boot leaves out the reason unless the application asks for it.
 */
final class Replies {

	static final int CONFLICT = 409;

	private Replies() {
	}

	static WebEndpointResponse<Map<String, @Nullable Object>> ok(Map<String, @Nullable Object> members) {
		return new WebEndpointResponse<>(members, WebEndpointResponse.STATUS_OK);
	}

	static WebEndpointResponse<Map<String, @Nullable Object>> badRequest(String reason) {
		return error(reason, WebEndpointResponse.STATUS_BAD_REQUEST);
	}

	static WebEndpointResponse<Map<String, @Nullable Object>> notFound(String reason) {
		return error(reason, WebEndpointResponse.STATUS_NOT_FOUND);
	}

	static WebEndpointResponse<Map<String, @Nullable Object>> error(String reason, int status) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("error", reason);
		return new WebEndpointResponse<>(members, status);
	}

}
