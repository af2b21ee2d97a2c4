package io.agenthooks.sample.tools;

/**
 * A tool could not do what the agent wanted. The reason is for the agent.
 */
final class ToolFailedException extends Exception {

	private final String reason;

	ToolFailedException(String reason) {
		super(reason);
		this.reason = reason;
	}

	String getReason() {
		return this.reason;
	}

}
