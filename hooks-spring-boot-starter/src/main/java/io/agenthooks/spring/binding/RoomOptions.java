package io.agenthooks.spring.binding;

/**
 * What is bound from below a name that is no part with hooks. Each is a bean, so that
 * every mistake can be reported at once.
 *
 * @param name the name below {@code hooks}
 * @param type what to bind the options to
 * @since 0.1.0
 */
public record RoomOptions(String name, Class<?> type) {
}
