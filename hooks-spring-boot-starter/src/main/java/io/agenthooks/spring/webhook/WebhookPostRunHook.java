package io.agenthooks.spring.webhook;

import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunOutcome;

/**
 * Tells an {@linkplain WebhookEndpoint endpoint} how runs ended.
 */
class WebhookPostRunHook implements PostRunHook, AutoCloseable {

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
	public void close() {
		this.endpoint.close();
	}

}
