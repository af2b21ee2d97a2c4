package io.agenthooks.toolcall;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Answers the question of a hook that wants a person to approve a call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolApprover {

	/** The name of an approver that has none: a lambda. */
	String UNNAMED = "approver";

	/**
	 * Wait for the answer. It holds for exactly this call: this tool with these
	 * arguments.
	 * @param call the call with its final arguments
	 * @param question what hooks ask, with {@linkplain ToolDecision.Ask#askers() which
	 * they are}
	 * @return {@code Approve}, {@code Modify} to let the call pass with other arguments
	 * that every policy is then asked about, {@code Deny} or {@code Abort}; or the
	 * question {@linkplain ToolDecision.Ask#pendingAs with the id} under which it is
	 * kept, which ends the turn until people have decided. Any other decision,
	 * {@code null} or an exception denies, and so does {@code Modify} if a hook has
	 * answered the call. Who decided can be {@linkplain ToolDecision#answeredBy(String)
	 * named} for the audit.
	 */
	ToolDecision approve(ToolCall call, ToolDecision.Ask question);

	/**
	 * Return the longest time of an answer, after which the starter denies the call.
	 * @param question what the hook asks
	 * @return that of the question unless overridden, or {@code null} for
	 * {@code hooks.tool_call.approval_timeout}
	 */
	default @Nullable Duration timeout(ToolDecision.Ask question) {
		return question.timeout();
	}

	/**
	 * The name of this approver in outcomes and the audit. The starter names it by its
	 * bean name unless this is overridden.
	 * @return the simple name of the class, or {@value #UNNAMED} if that is generated
	 */
	default String name() {
		String name = getClass().getSimpleName();
		return (getClass().isHidden() || name.isEmpty()) ? UNNAMED : name;
	}

	/**
	 * An approver that denies every call: no person can be asked.
	 * @return the approver
	 */
	static ToolApprover nobody() {
		return new NoApprover();
	}

}
