package io.agenthooks.spring.cel;

final class UnreadableConditionException extends RuntimeException {

	private final String action;

	private final int position;

	UnreadableConditionException(String message, String action, int position) {
		super(message, null, false, false);
		this.action = action;
		this.position = position;
	}

	String action() {
		return this.action;
	}

	int position() {
		return this.position;
	}

}
