package io.agenthooks.spring.prompt;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Lets a {@linkplain Judge judge} decide whether the agent gets to see results of tools.
 *
 * @param judge the judge
 */
record PromptToolResultHook(Judge judge) implements ToolResultHook, AutoCloseable {

	private static final Judge.Decisions<ToolDecision> DECISIONS = Judge.Decisions.withoutPerson(ToolDecision::approve,
			ToolDecision::deny, ToolDecision::failedOpen);

	@Override
	public String name() {
		return this.judge.name();
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return this.judge.judge(JudgedData.of(call, result), () -> PromptToolHook.describe(call), DECISIONS);
	}

	@Override
	public void close() {
		this.judge.close();
	}

}
