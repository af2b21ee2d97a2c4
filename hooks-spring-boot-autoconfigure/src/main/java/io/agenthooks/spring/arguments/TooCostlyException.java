package io.agenthooks.spring.arguments;

import com.networknt.schema.SchemaException;

/** The library passes its own kind of exception on, without a word in the log. */
final class TooCostlyException extends SchemaException {

	TooCostlyException(String message) {
		super(message);
	}

	String reason() {
		return String.valueOf(getMessage());
	}

	@Override
	public synchronized Throwable fillInStackTrace() {
		return this;
	}

}
