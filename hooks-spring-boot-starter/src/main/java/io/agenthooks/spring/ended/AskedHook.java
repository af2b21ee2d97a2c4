package io.agenthooks.spring.ended;

/**
 * A hook that was asked.
 *
 * @param name its name
 * @param verdict what it said, or {@code failed}
 * @param nanos how long it took, in nanoseconds
 * @since 0.1.0
 */
public record AskedHook(String name, String verdict, long nanos) {
}
