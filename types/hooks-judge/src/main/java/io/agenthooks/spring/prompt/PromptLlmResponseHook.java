package io.agenthooks.spring.prompt;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;

/**
 * Lets a {@linkplain Judge judge} decide whether the agent gets to see responses of
 * models.
 */
record PromptLlmResponseHook(Judge<LlmCall, LlmDecision> judge) implements LlmResponseHook, JudgingHook {

	@Override
	public LlmDecision onResponse(LlmCall call, LlmResponse response) {
		return this.judge.judge(call,
				(asked) -> JudgedData.of(asked, (asked.equals(call)) ? response : LlmResponse.of("")));
	}

}
