package io.agenthooks.spring.webhook;

import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.spring.DroppedNotifications;

/**
 * Tells an {@linkplain WebhookEndpoint endpoint} how model calls ended.
 */
class WebhookPostLlmHook implements PostLlmHook, DroppedNotifications, AutoCloseable {

	private final WebhookEndpoint endpoint;

	WebhookPostLlmHook(WebhookEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	WebhookEndpoint endpoint() {
		return this.endpoint;
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		this.endpoint.tell(() -> WebhookMessage.postCall(outcome));
	}

	@Override
	public long droppedNotifications() {
		return this.endpoint.dropped();
	}

	@Override
	public void close() {
		this.endpoint.close();
	}

}
