package io.agenthooks.spring.web;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Replies of the endpoints. Those that say what is wrong have a body of their own,
 * because that of Spring Boot leaves out the reason unless the application asks for it.
 *
 * @since 0.1.0
 */
public final class Replies {

	/** The status of a request that cannot be done now. */
	public static final int CONFLICT = 409;

	private static final int SERVER_ERROR = 500;

	private static final Logger logger = LoggerFactory.getLogger(Replies.class);

	/** Exceptions may be the causes of each other. */
	private static final int MAX_CAUSES = 8;

	private Replies() {
	}

	public static WebEndpointResponse<Map<String, @Nullable Object>> ok(Map<String, @Nullable Object> members) {
		return new WebEndpointResponse<>(members, WebEndpointResponse.STATUS_OK);
	}

	public static WebEndpointResponse<Map<String, @Nullable Object>> badRequest(String reason) {
		return error(reason, WebEndpointResponse.STATUS_BAD_REQUEST);
	}

	public static WebEndpointResponse<Map<String, @Nullable Object>> notFound(String reason) {
		return error(reason, WebEndpointResponse.STATUS_NOT_FOUND);
	}

	public static WebEndpointResponse<Map<String, @Nullable Object>> error(String reason, int status) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("error", reason);
		return new WebEndpointResponse<>(members, status);
	}

	/**
	 * Reply to a request. Whatever fails ends here: Spring logs what it gets with its
	 * message, and that of a hook or a tool may quote arguments.
	 * @param failed what could not be done if it fails, as a sentence without its end
	 * @param operation makes the reply
	 * @return the reply
	 */
	public static WebEndpointResponse<Map<String, @Nullable Object>> of(String failed,
			Supplier<WebEndpointResponse<Map<String, @Nullable Object>>> operation) {
		try {
			return operation.get();
		}
		catch (Throwable ex) {
			return failure(failed, ex);
		}
	}

	/**
	 * Say that something failed, and in the log also where, but not with which words.
	 * @param failed what could not be done, as a sentence without its end
	 * @param ex why
	 * @return the reply
	 */
	public static WebEndpointResponse<Map<String, @Nullable Object>> failure(String failed, Throwable ex) {
		logger.warn("{}: {}", failed, describe(ex));
		logger.debug(failed, ex);
		return error("%s: %s. The log says more".formatted(failed, ex.getClass().getName()), SERVER_ERROR);
	}

	private static String describe(Throwable ex) {
		StringBuilder description = new StringBuilder();
		Throwable cause = ex;
		for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
			description.append((i > 0) ? ", caused by " : "").append(cause.getClass().getName());
			if (cause instanceof SQLException sql && sql.getSQLState() != null) {
				description.append(" with SQLState ").append(sql.getSQLState());
			}
			StackTraceElement[] stack = cause.getStackTrace();
			description.append((stack.length > 0) ? " at " + stack[0] : "");
			cause = cause.getCause();
		}
		return description.toString();
	}

}
