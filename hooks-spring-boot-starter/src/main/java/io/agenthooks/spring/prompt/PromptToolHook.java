package io.agenthooks.spring.prompt;

import io.agenthooks.SafeText;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Lets a {@linkplain Judge judge} decide about calls of tools.
 *
 * @param judge the judge
 */
record PromptToolHook(Judge judge) implements PreToolHook, AutoCloseable {

	private static final Judge.Decisions<ToolDecision> DECISIONS = new Judge.Decisions<>(ToolDecision::approve,
			ToolDecision::ask, ToolDecision::deny, ToolDecision::failedOpen);

	@Override
	public String name() {
		return this.judge.name();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.judge.judge(JudgedData.of(call), () -> describe(call), DECISIONS);
	}

	static String describe(ToolCall call) {
		return "call '%s' of the tool '%s'".formatted(SafeText.name(call.id()), SafeText.name(call.tool()));
	}

	@Override
	public void close() {
		this.judge.close();
	}

}
