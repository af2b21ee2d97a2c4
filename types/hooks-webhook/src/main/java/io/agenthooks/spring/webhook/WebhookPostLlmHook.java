package io.agenthooks.spring.webhook;

import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.PostLlmHook;

class WebhookPostLlmHook extends WebhookHook implements PostLlmHook {

	WebhookPostLlmHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		endpoint().send(() -> endpoint().words().news(outcome));
	}

}
