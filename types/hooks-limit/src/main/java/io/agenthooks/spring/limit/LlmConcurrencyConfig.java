package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code concurrency} hook around model calls, as written. What
 * is {@code null} was not written, and its default holds.
 *
 * @param maxConcurrent Number of model calls that run at the same time at most. Required.
 * @param key Which calls are counted together: those of the same session, run, agent_run,
 * user, agent, workspace or claim:name, of the same of several of them, or all.
 * @param missing What becomes of a call that has no such part, such as one without a
 * user.
 * @param timeout Time for which a call waits until another one has ended; without a unit
 * in seconds.
 */
record LlmConcurrencyConfig(@Nullable Integer maxConcurrent, @Nullable List<String> key, @Nullable OnMissingKey missing,
		@Nullable Duration timeout) {
}
