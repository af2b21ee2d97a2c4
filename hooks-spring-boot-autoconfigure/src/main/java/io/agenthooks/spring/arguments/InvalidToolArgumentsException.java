package io.agenthooks.spring.arguments;

/**
 * Text that should be arguments is not. The message says why, to the author of the text,
 * which often is a model; it does not repeat the text.
 *
 * @since 0.1.0
 */
public final class InvalidToolArgumentsException extends RuntimeException {

	InvalidToolArgumentsException(String message) {
		super(message);
	}

	@Override
	public String getMessage() {
		return String.valueOf(super.getMessage());
	}

}
