package io.agenthooks.spring.answer;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code cache} hook, as written. What is {@code null} was not
 * written, and its default holds.
 *
 * @param ttl Time for which a result is an answer, above zero and at most 30 days;
 * without a unit in seconds.
 * @param scope Whose calls are answered with the result of a call.
 * @param maxEntries Number of results that are kept at most.
 */
record CacheConfig(@Nullable Duration ttl, @Nullable Scope scope, @Nullable Integer maxEntries) {

	/** The callers whose calls are answered with the result of a call. */
	enum Scope {

		/** Everybody. What a tool returned to one user is an answer to all others. */
		GLOBAL,

		/**
		 * The same session, and in it the same user, agent, role and workspace. Calls
		 * without a session are not answered, nor are calls without a user once there was
		 * one with a user.
		 */
		SESSION,

		/**
		 * The same user, acting through the same agent, role and workspace. Calls without
		 * a user are not answered.
		 */
		USER

	}

}
