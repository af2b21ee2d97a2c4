package io.agenthooks.spring.prompt;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.spring.HookHealth;

/**
 * Lets a {@linkplain Judge judge} decide whether the agent gets to see responses of
 * models.
 *
 * @param judge the judge
 */
record PromptLlmResponseHook(Judge<LlmCall, LlmDecision> judge) implements LlmResponseHook, HookHealth, AutoCloseable {

	@Override
	public String name() {
		return this.judge.name();
	}

	@Override
	public LlmDecision onResponse(LlmCall call, LlmResponse response) {
		return this.judge.judge(call, JudgedData.of(call, response));
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
