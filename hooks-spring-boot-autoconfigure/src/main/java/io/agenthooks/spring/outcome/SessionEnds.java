package io.agenthooks.spring.outcome;

import org.jspecify.annotations.Nullable;

/**
 * A listener to the ends of sessions, which forgets what counted for a session.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SessionEnds {

	/**
	 * A session has ended.
	 * @param session the id of the session
	 * @param user the user of its calls, or {@code null} for all users
	 * @param agent the agent of its calls, or {@code null} for all agents
	 */
	void ended(String session, @Nullable String user, @Nullable String agent);

}
