package io.agenthooks.spring.annotation;

/**
 * An argument of a call is missing, or is not what a method takes. The message says which
 * argument, and never its value.
 */
final class UnfitArgumentException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	UnfitArgumentException(String message) {
		super(message);
	}

}
