package io.agenthooks.spring.prompt;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The question was too long, was filtered, or was one too many: all up to the agent whose
 * call is judged. Clients have no exception in common, so they are known by names.
 */
final class RefusedQuestion {

	private static final int MAX_CAUSES = 20;

	/**
	 * Of Spring AI, of Spring's HTTP clients, of LangChain4j, and of the clients of
	 * OpenAI and Anthropic.
	 */
	private static final Set<String> NAMES = Set.of("NonTransientAi", "HttpClientError", "BadRequest", "RateLimit",
			"TooManyRequests", "InvalidRequest", "ContentFilter", "ContentPolicy", "UnprocessableEntity",
			"ContextLength", "PayloadTooLarge", "RequestTooLarge", "RequestNotPermitted", "BulkheadFull",
			"RejectedExecution");

	private RefusedQuestion() {
	}

	static boolean isCauseOf(@Nullable Throwable failure) {
		Throwable cause = failure;
		for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
			if (isRefusal(cause.getClass())) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

	private static boolean isRefusal(Class<?> failure) {
		for (Class<?> type = failure; type != null; type = type.getSuperclass()) {
			String name = type.getName();
			if (NAMES.stream().anyMatch(name.substring(name.lastIndexOf('.') + 1)::contains)) {
				return true;
			}
		}
		return false;
	}

}
