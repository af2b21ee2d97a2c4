package io.agenthooks.spring.state;

import io.agenthooks.chain.NotAskedException;

/**
 * A store of limits answered, but nobody can decide by what it said. It has no cause,
 * whose text might quote what was kept.
 *
 * @since 0.1.0
 */
public final class UnusableAnswerException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String reason;

	public UnusableAnswerException(String message) {
		this(message, "the store of limits answered wrongly");
	}

	public UnusableAnswerException(String message, String reason) {
		super(message);
		this.reason = reason;
	}

	/**
	 * The same, but it passes under no mode: what a store drops when it is full is also
	 * up to the agent.
	 * @param message for the log
	 * @param reason why, in words of ours
	 * @return the exception, to be thrown
	 */
	public static UnusableAnswerException lost(String message, String reason) {
		UnusableAnswerException lost = new UnusableAnswerException(message, reason);
		lost.initCause(new NotAskedException(reason));
		return lost;
	}

	String reason() {
		return this.reason;
	}

}
