package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code rate_limit} hook around model calls, as written. What is
 * {@code null} was not written, and its default holds.
 *
 * @param limit How often calls pass, such as "50 per session", "10 per 1m" or "100 per 1d
 * burst 20"; of several all hold, each by its own part. Required.
 * @param key Which calls are counted together: those of the same session, run, agent_run,
 * user, agent, workspace or claim:name, of the same of several of them, or all.
 * @param missing What becomes of a call that has no such part, such as one without a
 * user.
 * @param then What becomes of a call that is too much.
 * @param maxKeys Number of keys that are counted at most. A call of one more is denied.
 * @param forgetAfter Time without a call after which a limit that does not come back by
 * itself, such as "50 per session", is forgotten; without a unit in seconds.
 */
record LlmRateLimitConfig(@Nullable List<String> limit, @Nullable List<String> key, @Nullable OnMissingKey missing,
		LlmBudgetConfig.@Nullable Then then, @Nullable Integer maxKeys, @Nullable Duration forgetAfter) {
}
