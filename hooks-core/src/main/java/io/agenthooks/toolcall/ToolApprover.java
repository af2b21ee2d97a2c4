package io.agenthooks.toolcall;

/**
 * Answers the question of a hook that wants a person to approve a call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolApprover {

	/**
	 * Wait for the answer. It holds for exactly this call: this tool with these
	 * arguments.
	 * @param call the call with its final arguments
	 * @param question what the hook asks
	 * @return {@code Approve} to let the call pass, {@code Modify} to let it pass with
	 * other arguments that every policy is then asked about, {@code Deny} or
	 * {@code Abort}. Any other decision, {@code null} or an exception denies, and so does
	 * {@code Modify} if a hook has answered the call, so that the tool will not run.
	 */
	ToolDecision approve(ToolCall call, ToolDecision.Ask question);

	/**
	 * An approver that denies, because there is nobody to ask.
	 * @return the approver
	 */
	static ToolApprover nobody() {
		return (call, question) -> ToolDecision
			.deny("This call needs the approval of a person, and there is nobody to ask");
	}

}
