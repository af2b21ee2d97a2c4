package io.agenthooks.spring.prompt;

import io.agenthooks.ExternalHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Lets a {@linkplain Judge judge} decide about calls of tools.
 */
record PromptToolHook(Judge<ToolCall, ToolDecision> judge) implements PreToolHook, ExternalHook, JudgingHook {

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.judge.judge(call, JudgedData::of);
	}

}
