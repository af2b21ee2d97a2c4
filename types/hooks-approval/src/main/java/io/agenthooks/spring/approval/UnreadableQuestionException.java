package io.agenthooks.spring.approval;

/** A question is not as it was written: somebody changed it by hand. */
final class UnreadableQuestionException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	UnreadableQuestionException(String message) {
		super(message);
	}

}
