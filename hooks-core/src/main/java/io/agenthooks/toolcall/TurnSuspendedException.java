package io.agenthooks.toolcall;

import io.agenthooks.SafeText;

/**
 * A call waits for people, and the agent's turn ends until they have decided. The tool
 * has not run. The code that makes the calls of a turn decides the others of the same
 * batch as usual, before the turn ends.
 *
 * @since 0.1.0
 */
public final class TurnSuspendedException extends ToolCallAbortedException {

	private final String approvalId;

	TurnSuspendedException(ToolCall call, String hook, String approvalId) {
		super("The call of the tool '%s' waits for the approval of a person (request %s)"
			.formatted(SafeText.name(call.tool()), approvalId), call, hook, reasonOf(approvalId));
		this.approvalId = approvalId;
	}

	static String reasonOf(String approvalId) {
		return "This call waits for the approval of a person (request %s). It has not run.".formatted(approvalId);
	}

	/**
	 * The question to people that waits.
	 * @return its id
	 */
	public String getApprovalId() {
		return this.approvalId;
	}

	@Override
	public boolean isPending() {
		return true;
	}

}
