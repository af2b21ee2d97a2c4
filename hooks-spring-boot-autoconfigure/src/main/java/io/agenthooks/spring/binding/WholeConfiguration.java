package io.agenthooks.spring.binding;

/**
 * The bean that reads all parts of the configuration. If there is any mistake in one, it
 * cannot be made, and says all of them.
 *
 * @since 0.1.0
 */
public interface WholeConfiguration {

}
