package io.agenthooks.spring.annotation;

/** The message says which argument, and never its value. */
final class UnfitArgumentException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	UnfitArgumentException(String message) {
		super(message);
	}

}
