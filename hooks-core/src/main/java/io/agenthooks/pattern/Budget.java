package io.agenthooks.pattern;

/**
 * The work that may still go into one call, in steps of some nanoseconds. What is over
 * means that the call cannot be checked, and a call that cannot be checked is denied.
 *
 * @since 0.1.0
 */
public final class Budget {

	/** About a quarter of a second. */
	private static final long STEPS_PER_CALL = 120_000_000;

	private long steps;

	public Budget() {
		this(STEPS_PER_CALL);
	}

	Budget(long steps) {
		this.steps = steps;
	}

	/**
	 * Take some steps.
	 * @param steps how many
	 * @throws ExhaustedException if there are not so many left
	 */
	public void spend(long steps) {
		this.steps -= steps;
		if (this.steps < 0) {
			throw new ExhaustedException();
		}
	}

	/**
	 * There is more to check than time to do so.
	 *
	 * @since 0.1.0
	 */
	public static final class ExhaustedException extends RuntimeException {

		public ExhaustedException() {
			super("The work on one call is over its limit", null, false, false);
		}

	}

}
