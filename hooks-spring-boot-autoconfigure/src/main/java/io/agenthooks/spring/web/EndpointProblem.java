package io.agenthooks.spring.web;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

import io.agenthooks.spring.json.StrictJson;

/** As features write their own refusals (RFC 9457), so a client reads one format. */
enum EndpointProblem {

	NO_LOGIN(HttpStatus.UNAUTHORIZED, "Log in first."),

	NO_AUTHORITY(HttpStatus.FORBIDDEN, "You have none of the authorities that are needed here."),

	/** Missing, or that of another session. */
	NO_TOKEN(HttpStatus.FORBIDDEN,
			"The CSRF token of this session is missing: send it as a header, with the cookie of the session.");

	static final String BASIC = "Basic realm=\"Realm\"";

	static final String REQUESTED_WITH = "X-Requested-With";

	/** Scripts of a page say so, and then the browser shows no window for a login. */
	private static final String SCRIPT = "XMLHttpRequest";

	private final HttpStatus status;

	private final String detail;

	EndpointProblem(HttpStatus status, String detail) {
		this.status = status;
		this.detail = detail;
	}

	HttpStatus status() {
		return this.status;
	}

	byte[] body() {
		Map<String, Object> members = new LinkedHashMap<>();
		members.put("title", this.status.getReasonPhrase());
		members.put("status", this.status.value());
		members.put("detail", this.detail);
		return StrictJson.write(members);
	}

	/** In {@link HttpHeaders#WWW_AUTHENTICATE}. */
	boolean asksForLogin(@Nullable String requestedWith) {
		return this == NO_LOGIN && !SCRIPT.equals(requestedWith);
	}

}
