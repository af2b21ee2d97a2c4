package io.agenthooks;

/**
 * A hook ended more than a call: the turn or the run of the agent.
 *
 * @since 0.1.0
 */
public abstract class AgentAbortedException extends RuntimeException {

	private final String hook;

	private final String reason;

	private final AbortScope scope;

	/**
	 * Create the exception.
	 * @param message what happened, as a sentence
	 * @param hook the name of the hook that aborted
	 * @param reason why, as one safe line
	 * @param scope how much ended
	 */
	protected AgentAbortedException(String message, String hook, String reason, AbortScope scope) {
		super(message);
		this.hook = hook;
		this.reason = reason;
		this.scope = scope;
	}

	/**
	 * The name of the hook that aborted.
	 * @return the name
	 */
	public final String getHook() {
		return this.hook;
	}

	/**
	 * Why the hook aborted.
	 * @return the reason, as one safe line
	 */
	public final String getReason() {
		return this.reason;
	}

	/**
	 * How much ended.
	 * @return the scope
	 */
	public final AbortScope getScope() {
		return this.scope;
	}

	/**
	 * Whether nothing was refused: a call waits for people, and the turn can go on when
	 * they have decided.
	 * @return {@code false} unless overridden
	 */
	public boolean isPending() {
		return false;
	}

}
