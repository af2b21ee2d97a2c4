package io.agenthooks.spring.audit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.EndedCall;

record LlmEntry(LlmCall requested, LlmCall effective, @Nullable LlmUsage usage, EndedCall ended, List<AskedHook> asked,
		long time, long weight, boolean hasBegun) implements CallEntry {

	static LlmEntry of(LlmOutcome outcome, List<AskedHook> asked, long time) {
		return new LlmEntry(outcome.requested(), outcome.effective(),
				(outcome.originalResponse() != null) ? outcome.originalResponse().usage() : null, EndedCall.of(outcome),
				asked, time,
				outcome.effective().messages().stream().mapToLong((message) -> message.text().length()).sum(),
				CallEntry.hasBegun(outcome, outcome.originalResponse()));
	}

	@Override
	public String kind() {
		return LLM_CALL;
	}

	@Override
	public String id() {
		return this.effective.id();
	}

	@Override
	public CallContext context() {
		return this.effective.context();
	}

}
