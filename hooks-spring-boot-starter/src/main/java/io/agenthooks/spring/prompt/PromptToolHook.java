package io.agenthooks.spring.prompt;

import io.agenthooks.ExternalHook;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Lets a {@linkplain Judge judge} decide about calls of tools.
 *
 * @param judge the judge
 */
record PromptToolHook(
		Judge<ToolCall, ToolDecision> judge) implements PreToolHook, ExternalHook, HookHealth, AutoCloseable {

	@Override
	public String name() {
		return this.judge.name();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.judge.judge(call, JudgedData.of(call));
	}

	@Override
	public Report health() {
		return this.judge.health();
	}

	@Override
	public void close() {
		this.judge.close();
	}

}
