package io.agenthooks.spring.guard;

/**
 * A method of a framework was called that the guard in front of it does not know, so that
 * the call could pass no hook.
 *
 * @since 0.1.0
 */
public final class UnknownMethodException extends UnsupportedOperationException {

	UnknownMethodException(String message) {
		super(message);
	}

}
