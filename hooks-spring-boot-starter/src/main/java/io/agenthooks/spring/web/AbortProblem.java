package io.agenthooks.spring.web;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.spring.json.StrictJson;

/**
 * The answer to a request that a hook has ended, as RFC 9457 writes problems: what
 * happened and why, and not which hook it was.
 */
final class AbortProblem {

	static final HttpStatus STATUS = HttpStatus.FORBIDDEN;

	static final MediaType TYPE = MediaType.APPLICATION_PROBLEM_JSON;

	/** Frameworks put exceptions into others; one that holds itself must not count. */
	private static final int MAX_CAUSES = 16;

	private final byte[] body;

	private AbortProblem(byte[] body) {
		this.body = body;
	}

	/**
	 * The answer to a failed request, or {@code null} if no hook has ended it.
	 */
	static @Nullable AbortProblem of(Throwable failure) {
		Throwable cause = failure;
		for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
			if (cause instanceof AgentAbortedException aborted) {
				return of(aborted);
			}
			cause = cause.getCause();
		}
		return null;
	}

	private static AbortProblem of(AgentAbortedException aborted) {
		Map<String, Object> members = new LinkedHashMap<>();
		members.put("title", "Blocked by a hook");
		members.put("status", STATUS.value());
		members.put("detail", aborted.getReason());
		return new AbortProblem(StrictJson.write(members));
	}

	/**
	 * The body, in JSON.
	 */
	byte[] body() {
		return this.body;
	}

}
