package io.agenthooks.spring.binding;

/**
 * The options below a key of {@code hooks} that lists no hooks, such as
 * {@code hooks.audit}. Each is a bean, so that every mistake can be reported at once.
 *
 * @param name the name below {@code hooks}
 * @param type what to bind the options to
 * @since 0.1.0
 */
public record FeatureOptions(String name, Class<?> type) {
}
