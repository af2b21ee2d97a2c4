package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code rate_limit} hook, as written. What is {@code null} was
 * not written, and its default holds.
 *
 * @param limit How often calls pass, such as "3 per session", "10 per 1m" or "100 per 1d
 * burst 20"; of several all hold. Required.
 * @param key Which calls are counted together: those of the same tool, session, run,
 * user, agent, workspace or claim:name, of the same of several of them, or all.
 * @param keyExpression Expression in CEL whose value is one more part of the key, over
 * what the rules of a policy see.
 * @param missing What becomes of a call that has no such part, such as one without a
 * user.
 * @param count Which calls count.
 * @param then What becomes of a call that is too much.
 * @param maxKeys Number of keys that are counted at most. A call of one more is denied.
 * @param forgetAfter Time without a call after which a limit that does not come back by
 * itself, such as "3 per session", is forgotten; without a unit in seconds.
 */
record RateLimitConfig(@Nullable List<String> limit, @Nullable List<String> key, @Nullable String keyExpression,
		@Nullable OnMissingKey missing, @Nullable Count count, @Nullable Then then, @Nullable Integer maxKeys,
		@Nullable Duration forgetAfter) {

	/** The calls that count. */
	enum Count {

		/**
		 * Every call that the hook lets pass, whatever becomes of it.
		 */
		DECIDED,

		/**
		 * Calls of which the tool ran and succeeded, when they have ended. Until then a
		 * call has its place; one that is denied later, answered, or fails, gives it
		 * back.
		 */
		SUCCEEDED

	}

	/** The consequence for a call that is too much. */
	enum Then {

		/**
		 * The agent gets the reason, with the time after which it may try again.
		 */
		DENY,

		/**
		 * A person may let it pass.
		 */
		ASK,

		/**
		 * The turn ends.
		 */
		ABORT

	}

}
