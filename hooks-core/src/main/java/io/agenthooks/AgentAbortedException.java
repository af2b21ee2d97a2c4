package io.agenthooks;

import org.jspecify.annotations.Nullable;

/**
 * A hook ended more than a call: the turn or the run of the agent.
 *
 * @since 0.1.0
 */
public abstract class AgentAbortedException extends RuntimeException {

	/** Frameworks put exceptions into others; one that holds itself must not count. */
	private static final int MAX_CAUSES = 16;

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
	 * The abort behind what was thrown, also as the cause of another exception.
	 * @param failure what was thrown
	 * @return the abort, or {@code null} if there is none
	 */
	public static @Nullable AgentAbortedException causeOf(Throwable failure) {
		Throwable cause = failure;
		for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
			if (cause instanceof AgentAbortedException abortion) {
				return abortion;
			}
			cause = cause.getCause();
		}
		return null;
	}

	/**
	 * The name of the hook that aborted.
	 * @return the name
	 */
	public final String getHook() {
		return this.hook;
	}

	/**
	 * Return the reason of the hook.
	 * @return the reason, as one safe line
	 */
	public final String getReason() {
		return this.reason;
	}

	/**
	 * Return the extent of the abort.
	 * @return the scope
	 */
	public final AbortScope getScope() {
		return this.scope;
	}

	/**
	 * Whether nothing was refused: a call waits for people.
	 * @return {@code false} unless overridden
	 */
	public boolean isPending() {
		return false;
	}

}
