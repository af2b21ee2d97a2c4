package io.agenthooks.spring.webhook;

import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.spring.external.DroppedNotifications;

/**
 * Tells an {@linkplain WebhookEndpoint endpoint} how model calls ended.
 */
class WebhookPostLlmHook extends WebhookHook implements PostLlmHook, DroppedNotifications {

	WebhookPostLlmHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		endpoint().tell(() -> WebhookMessage.postCall(outcome));
	}

	@Override
	public long droppedNotifications() {
		return endpoint().dropped();
	}

}
