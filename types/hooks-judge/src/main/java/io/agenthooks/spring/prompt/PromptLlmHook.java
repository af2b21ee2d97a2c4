package io.agenthooks.spring.prompt;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;

/**
 * Lets a {@linkplain Judge judge} decide about calls of models.
 */
record PromptLlmHook(Judge<LlmCall, LlmDecision> judge) implements PreLlmHook, JudgingHook {

	@Override
	public LlmDecision preCall(LlmCall call) {
		return this.judge.judge(call, JudgedData::of);
	}

}
