package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code concurrency} hook, as written. What is {@code null} was
 * not written, and its default holds.
 *
 * @param maxConcurrent Number of calls that run at the same time at most. Required.
 * @param key Which calls are counted together: those of the same tool, session, run,
 * user, agent, workspace or claim:name, of the same of several of them, or all.
 * @param keyExpression Expression in CEL whose value is one more part of the key, over
 * what the rules of a policy see.
 * @param missing What becomes of a call that has no such part, such as one without a
 * user.
 * @param timeout Time for which a call waits until another one has ended; without a unit
 * in seconds.
 */
record ConcurrencyConfig(@Nullable Integer maxConcurrent, @Nullable List<String> key, @Nullable String keyExpression,
		@Nullable OnMissingKey missing, @Nullable Duration timeout) {
}
