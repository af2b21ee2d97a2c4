package io.agenthooks.spring.external;

import org.jspecify.annotations.Nullable;

/**
 * A program, or a judge, gave no verdict. The message is safe to show: it quotes neither
 * what was sent nor what was received.
 *
 * @since 0.1.0
 */
public final class NoVerdictException extends Exception {

	private final Reach reach;

	private final boolean timeout;

	private final @Nullable String word;

	private NoVerdictException(String message, Reach reach, boolean timeout, @Nullable String word) {
		super(message, null, false, false);
		this.reach = reach;
		this.timeout = timeout;
		this.word = word;
	}

	/**
	 * The decider answered that it failed.
	 * @param message how
	 * @return the exception
	 */
	public static NoVerdictException failure(String message) {
		return new NoVerdictException(message, Reach.FAILED, false, null);
	}

	/**
	 * The decider died or broke off with the question in its hands.
	 * @param message how
	 * @return the exception
	 */
	public static NoVerdictException breakdown(String message) {
		return new NoVerdictException(message, Reach.BROKEN, false, null);
	}

	/**
	 * The question never reached the decider, so nothing in it can be the reason.
	 * @param message why
	 * @return the exception
	 */
	public static NoVerdictException unreached(String message) {
		return new NoVerdictException(message, Reach.UNREACHED, false, null);
	}

	/**
	 * The decider did not decide within its own timeout.
	 * @param message what it did not do in time
	 * @param mayPass whether {@code fail_open} covers that
	 * @return the exception
	 */
	public static NoVerdictException timeout(String message, boolean mayPass) {
		return new NoVerdictException(message, (mayPass) ? Reach.BROKEN : Reach.REFUSED, true, null);
	}

	/**
	 * The question did not reach the decider within the timeout.
	 * @param message why
	 * @param mayPass whether {@code fail_open} covers that
	 * @return the exception
	 */
	public static NoVerdictException unreachedInTime(String message, boolean mayPass) {
		return new NoVerdictException(message, (mayPass) ? Reach.UNREACHED : Reach.REFUSED, true, null);
	}

	/**
	 * The decider was not given the chance to decide, or must not be gone without.
	 * @param message why
	 * @return the exception
	 */
	public static NoVerdictException refusal(String message) {
		return refusal(message, null);
	}

	/**
	 * The same because of a word in an answer that nobody knows.
	 * @param message why
	 * @param word the word, which only operators read, or {@code null} for none
	 * @return the exception
	 */
	public static NoVerdictException refusal(String message, @Nullable String word) {
		return new NoVerdictException(message, Reach.REFUSED, false, word);
	}

	/**
	 * The thread that waits was interrupted; its interrupt flag is set again.
	 * @return the exception
	 */
	public static NoVerdictException interrupted() {
		Thread.currentThread().interrupt();
		return refusal("The call was interrupted");
	}

	/**
	 * The application ends.
	 * @return the exception
	 */
	public static NoVerdictException shuttingDown() {
		return refusal("The application is shutting down");
	}

	NoVerdictException refused(String why) {
		return new NoVerdictException(getMessage() + why, Reach.REFUSED, this.timeout, this.word);
	}

	/**
	 * Whether {@code fail_open} covers this.
	 * @return {@code true} if the decider failed
	 */
	public boolean mayPass() {
		return this.reach != Reach.REFUSED;
	}

	/** So this may be the question's doing. */
	boolean hasReachedTheDecider() {
		return this.reach != Reach.UNREACHED;
	}

	/** Or it may still be busy with it. */
	boolean isBreakdown() {
		return this.reach == Reach.BROKEN;
	}

	/**
	 * Whether the decider ran into its own timeout.
	 * @return {@code true} if it was not in time
	 */
	public boolean isTimeout() {
		return this.timeout;
	}

	@Nullable String word() {
		return this.word;
	}

	/** The message, which is never missing. */
	@Override
	public String getMessage() {
		return String.valueOf(super.getMessage());
	}

	private enum Reach {

		/** It does not matter: the call must not pass. */
		REFUSED,

		UNREACHED,

		FAILED,

		/** The decider died, broke off or did not answer. */
		BROKEN

	}

}
