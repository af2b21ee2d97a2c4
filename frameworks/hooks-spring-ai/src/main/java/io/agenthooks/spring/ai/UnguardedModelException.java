package io.agenthooks.spring.ai;

/**
 * A model was about to be asked without the hooks around model calls, which
 * {@code hooks.tool_call.unguarded: deny} forbids.
 *
 * @since 0.1.0
 */
public final class UnguardedModelException extends RuntimeException {

	UnguardedModelException(String message) {
		super(message);
	}

}
