package io.agenthooks.spring.langchain4j;

/** The message says why, and nothing of what was said. */
final class UnkeptTurnException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String reason;

	UnkeptTurnException(String reason) {
		super("The turn cannot be kept while people decide about a call of it: " + reason);
		this.reason = reason;
	}

	String reason() {
		return this.reason;
	}

}
