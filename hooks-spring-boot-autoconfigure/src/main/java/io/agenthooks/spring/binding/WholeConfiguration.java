package io.agenthooks.spring.binding;

/**
 * Marks the bean that reads the whole configuration. Its creation fails with a list of
 * all mistakes.
 *
 * @since 0.1.0
 */
public interface WholeConfiguration {

}
