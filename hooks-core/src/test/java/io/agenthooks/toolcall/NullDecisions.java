package io.agenthooks.toolcall;

/**
 * What breaks the contract by deciding nothing.
 */
final class NullDecisions {

	private NullDecisions() {
	}

	@SuppressWarnings("NullAway")
	static PreToolHook hook() {
		return (call) -> null;
	}

	@SuppressWarnings("NullAway")
	static ToolResultHook resultHook() {
		return (call, result) -> null;
	}

	@SuppressWarnings("NullAway")
	static ToolApprover approver() {
		return (call, question) -> null;
	}

	@SuppressWarnings("NullAway")
	static ToolExecutor executor() {
		return (call) -> null;
	}

}
