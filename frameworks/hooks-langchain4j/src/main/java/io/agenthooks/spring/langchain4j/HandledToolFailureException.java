package io.agenthooks.spring.langchain4j;

/** A handler of the application was asked, and threw. It is not asked twice. */
final class HandledToolFailureException extends RuntimeException {

	private final RuntimeException thrown;

	HandledToolFailureException(RuntimeException thrown) {
		super(null, null, false, false);
		this.thrown = thrown;
	}

	RuntimeException thrown() {
		return this.thrown;
	}

}
