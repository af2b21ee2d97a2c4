package io.agenthooks.spring.prompt;

import io.agenthooks.ExternalHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Lets a {@linkplain Judge judge} decide whether the agent gets to see results of tools.
 */
record PromptToolResultHook(Judge<ToolCall, ToolDecision> judge) implements ToolResultHook, ExternalHook, JudgingHook {

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return this.judge.judge(call,
				(asked) -> JudgedData.of(asked, (asked.equals(call)) ? result : ToolResult.success("")));
	}

}
