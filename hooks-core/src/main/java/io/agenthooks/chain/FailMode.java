package io.agenthooks.chain;

/**
 * The consequence for a call when a hook that should decide about it fails.
 *
 * @since 0.1.0
 */
public enum FailMode {

	/** The call is denied, or the result withheld. */
	CLOSED,

	/**
	 * The call passes, or the result stays as it is; that is logged, counted and marked
	 * in the outcome.
	 */
	OPEN;

	/**
	 * The largest question to another system, in bytes, that may pass without an answer:
	 * the agent chooses the size, and it may be what broke the other side.
	 */
	public static final int MAX_SIZE_TO_PASS = 256 * 1024;

	public static FailMode of(boolean failOpen) {
		return (failOpen) ? OPEN : CLOSED;
	}

	/**
	 * Whether a call passes that a hook threw at. After an error, an interruption, a
	 * cancellation or the abort of a call of its own no call passes, also if they are
	 * only a cause.
	 * @param failure what the hook threw
	 * @return whether it passes
	 */
	public boolean passes(Throwable failure) {
		return this == OPEN && !Failures.isMoreThanAFailure(failure);
	}

	/**
	 * Whether a call passes that nobody outside answered about.
	 * @param size how many bytes the question had
	 * @return whether it passes: not if the question was larger than
	 * {@link #MAX_SIZE_TO_PASS} or this thread is to stop
	 */
	public boolean passesWithoutAnswer(int size) {
		return this == OPEN && size <= MAX_SIZE_TO_PASS && !Thread.currentThread().isInterrupted();
	}

}
