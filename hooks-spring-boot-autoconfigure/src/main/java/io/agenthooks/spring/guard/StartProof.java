package io.agenthooks.spring.guard;

/**
 * Proves at the start, with the gate, something else that is believed of it.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StartProof {

	void prove();

}
