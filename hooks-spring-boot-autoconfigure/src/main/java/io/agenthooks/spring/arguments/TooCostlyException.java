package io.agenthooks.spring.arguments;

import com.networknt.schema.SchemaException;

/**
 * Checking goes over a limit. The library passes its own kind of exception on, without a
 * word in the log.
 */
final class TooCostlyException extends SchemaException {

	TooCostlyException(String message) {
		super(message);
	}

	/** The reason, as a sentence for the model. */
	String reason() {
		return String.valueOf(getMessage());
	}

	@Override
	public synchronized Throwable fillInStackTrace() {
		return this;
	}

}
