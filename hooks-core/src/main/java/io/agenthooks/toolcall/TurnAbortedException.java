package io.agenthooks.toolcall;

import io.agenthooks.AbortScope;

/**
 * A hook ended the agent's turn.
 *
 * @since 0.1.0
 */
public final class TurnAbortedException extends ToolCallAbortedException {

	TurnAbortedException(ToolCall call, String hook, String reason) {
		super(call, hook, reason, AbortScope.TURN);
	}

}
