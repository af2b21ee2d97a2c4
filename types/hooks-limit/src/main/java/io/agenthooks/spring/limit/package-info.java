/**
 * Hooks that limit what agents do: {@code rate_limit} how often calls pass,
 * {@code budget} how much they use up, {@code concurrency} how many run at the same time,
 * {@code loop} how often an agent does the same. Start at
 * {@link io.agenthooks.spring.limit.RateLimitToolHook}.
 */
@NullMarked
package io.agenthooks.spring.limit;

import org.jspecify.annotations.NullMarked;
