package io.agenthooks.spring.webhook;

import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.spring.DroppedNotifications;

/**
 * Tells an {@linkplain WebhookEndpoint endpoint} how runs ended.
 */
class WebhookPostRunHook implements PostRunHook, DroppedNotifications, AutoCloseable {

	private final WebhookEndpoint endpoint;

	WebhookPostRunHook(WebhookEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	WebhookEndpoint endpoint() {
		return this.endpoint;
	}

	@Override
	public void postRun(RunOutcome outcome) {
		this.endpoint.tell(() -> WebhookMessage.postRun(outcome));
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
