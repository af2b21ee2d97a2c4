package io.agenthooks.spring.approval;

/**
 * A question does not fit into the memory that questions may take, because others wait.
 */
final class NoRoomException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NoRoomException() {
		super("The questions that wait leave no room for another one of this size", null, false, false);
	}

}
