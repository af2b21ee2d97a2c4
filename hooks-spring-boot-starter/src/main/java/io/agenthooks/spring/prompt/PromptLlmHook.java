package io.agenthooks.spring.prompt;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.HookHealth;

/**
 * Lets a {@linkplain Judge judge} decide about calls of models.
 *
 * @param judge the judge
 */
record PromptLlmHook(Judge<LlmCall, LlmDecision> judge) implements PreLlmHook, HookHealth, AutoCloseable {

	@Override
	public String name() {
		return this.judge.name();
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
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
