package io.agenthooks.spring.approval;

final class NoRoomException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NoRoomException() {
		super("The questions that wait leave no room for another one of this size", null, false, false);
	}

}
