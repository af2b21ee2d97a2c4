package io.agenthooks.spring.ai;

/**
 * A tool was about to be called, or offered to a model, without hooks, which
 * {@code hooks.tool_call.unguarded: deny} forbids.
 *
 * @since 0.1.0
 */
public final class UnguardedToolException extends RuntimeException {

	UnguardedToolException(String message) {
		super(message);
	}

}
