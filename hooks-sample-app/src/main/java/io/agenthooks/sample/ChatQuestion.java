package io.agenthooks.sample;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A question to the agent. Session, user and agent are {@code null} if they are not
 * given.
 */
record ChatQuestion(String message, @Nullable String session, @Nullable String user, @Nullable String agent) {

	private static final String MESSAGE = "message";

	private static final String SESSION_ID = "session_id";

	private static final String USER = "user";

	private static final String AGENT = "agent";

	private static final List<String> KEYS = List.of(MESSAGE, SESSION_ID, USER, AGENT);

	static ChatQuestion read(byte[] json) {
		JsonBody body = JsonBody.read(json, KEYS);
		String message = body.text(MESSAGE);
		String session = body.optionalText(SESSION_ID);
		if (message.isBlank()) {
			throw new InvalidCallException("'message' must not be blank");
		}
		if (session != null && session.isBlank()) {
			throw new InvalidCallException("'session_id' must not be blank");
		}
		return new ChatQuestion(message, session, body.optionalText(USER), body.optionalText(AGENT));
	}

}
