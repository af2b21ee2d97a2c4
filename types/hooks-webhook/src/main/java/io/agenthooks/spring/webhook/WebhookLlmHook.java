package io.agenthooks.spring.webhook;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.external.NoVerdictMode;

final class WebhookLlmHook extends WebhookPostLlmHook implements PreLlmHook {

	private final NoVerdictMode<LlmCall, LlmDecision> failMode;

	WebhookLlmHook(WebhookEndpoint endpoint) {
		super(endpoint);
		this.failMode = NoVerdictMode.ofModelCalls(endpoint.name(), endpoint.failOpen(), true);
	}

	@Override
	NoVerdictMode<LlmCall, LlmDecision> failMode() {
		return this.failMode;
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		return endpoint().ask(call, this.failMode, (asked) -> endpoint().words().question(asked),
				(answer) -> endpoint().words().decision(answer, call));
	}

}
