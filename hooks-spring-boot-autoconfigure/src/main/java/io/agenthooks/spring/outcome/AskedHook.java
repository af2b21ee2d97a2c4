package io.agenthooks.spring.outcome;

import org.jspecify.annotations.Nullable;

/**
 * A hook that was asked.
 *
 * @param name its name
 * @param verdict what it said, or {@code failed}
 * @param nanos how long it took, in nanoseconds
 * @param limit what it had left, if it limits calls; otherwise {@code null}
 * @since 0.1.0
 */
public record AskedHook(String name, String verdict, long nanos, @Nullable LimitLeft limit) {
}
