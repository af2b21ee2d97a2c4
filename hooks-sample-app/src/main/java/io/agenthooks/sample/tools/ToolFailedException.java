package io.agenthooks.sample.tools;

/** A tool could not do what the agent wanted. The message is for the agent. */
final class ToolFailedException extends RuntimeException {

	ToolFailedException(String reason) {
		super(reason);
	}

	String getReason() {
		return String.valueOf(getMessage());
	}

}
