package io.agenthooks.spring.webhook;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolOutcome;

/** Tells an {@linkplain WebhookEndpoint endpoint} how tool calls ended. */
class WebhookPostToolHook extends WebhookHook implements PostToolHook {

	WebhookPostToolHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		endpoint().send(() -> endpoint().words().news(outcome));
	}

}
