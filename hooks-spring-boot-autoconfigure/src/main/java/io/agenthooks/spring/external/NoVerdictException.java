package io.agenthooks.spring.external;

/**
 * A program, or a judge, gave no verdict. The message is safe to show: it quotes neither
 * what was sent nor what was received.
 *
 * @since 0.1.0
 */
public final class NoVerdictException extends Exception {

	private final boolean mayPass;

	private final boolean timeout;

	private NoVerdictException(String message, boolean mayPass, boolean timeout) {
		super(message, null, false, false);
		this.mayPass = mayPass;
		this.timeout = timeout;
	}

	/**
	 * The child failed.
	 * @param message how
	 * @return the exception
	 */
	public static NoVerdictException failure(String message) {
		return new NoVerdictException(message, true, false);
	}

	/**
	 * The child did not decide within its own timeout.
	 * @param message what it did not do in time
	 * @param mayPass whether {@code fail_open} covers that
	 * @return the exception
	 */
	public static NoVerdictException timeout(String message, boolean mayPass) {
		return new NoVerdictException(message, mayPass, true);
	}

	/**
	 * The child was not given the chance to decide, or must not be gone without.
	 * @param message why
	 * @return the exception
	 */
	public static NoVerdictException refusal(String message) {
		return new NoVerdictException(message, false, false);
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

	/**
	 * Whether {@code fail_open} covers this.
	 * @return {@code true} if the child failed
	 */
	public boolean mayPass() {
		return this.mayPass;
	}

	/**
	 * Whether the child ran into its own timeout.
	 * @return {@code true} if it was not in time
	 */
	boolean isTimeout() {
		return this.timeout;
	}

	/**
	 * The message, which is never missing.
	 */
	@Override
	public String getMessage() {
		return String.valueOf(super.getMessage());
	}

}
