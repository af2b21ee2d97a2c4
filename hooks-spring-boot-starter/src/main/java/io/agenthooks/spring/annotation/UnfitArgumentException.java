package io.agenthooks.spring.annotation;

/**
 * An argument of a call is not there, or is not what a method takes. Says which argument,
 * and never its value.
 */
final class UnfitArgumentException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	UnfitArgumentException(String message) {
		super(message);
	}

}
