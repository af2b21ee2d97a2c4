package io.agenthooks.spring.prompt;

import io.agenthooks.SafeText;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;

/**
 * Lets a {@linkplain Judge judge} decide about calls of models.
 *
 * @param judge the judge
 */
record PromptLlmHook(Judge judge) implements PreLlmHook, AutoCloseable {

	static final Judge.Decisions<LlmDecision> DECISIONS = Judge.Decisions.withoutPerson(LlmDecision::approve,
			LlmDecision::deny, LlmDecision::failedOpen);

	@Override
	public String name() {
		return this.judge.name();
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		return this.judge.judge(JudgedData.of(call), () -> describe(call), DECISIONS);
	}

	static String describe(LlmCall call) {
		return "model call '%s'".formatted(SafeText.name(call.id()));
	}

	@Override
	public void close() {
		this.judge.close();
	}

}
