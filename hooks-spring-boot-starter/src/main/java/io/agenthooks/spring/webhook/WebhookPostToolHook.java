package io.agenthooks.spring.webhook;

import io.agenthooks.spring.DroppedNotifications;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * Tells an {@linkplain WebhookEndpoint endpoint} how tool calls ended.
 */
class WebhookPostToolHook implements PostToolHook, DroppedNotifications, AutoCloseable {

	private final WebhookEndpoint endpoint;

	WebhookPostToolHook(WebhookEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	WebhookEndpoint endpoint() {
		return this.endpoint;
	}

	@Override
	public void postCall(ToolOutcome outcome) {
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
