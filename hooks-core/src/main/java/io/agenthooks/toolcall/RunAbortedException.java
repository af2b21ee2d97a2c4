package io.agenthooks.toolcall;

import io.agenthooks.AbortScope;

/**
 * A hook ended the agent's run.
 *
 * @since 0.1.0
 */
public final class RunAbortedException extends ToolCallAbortedException {

	RunAbortedException(ToolCall call, String hook, String reason) {
		super(call, hook, reason, AbortScope.RUN);
	}

}
