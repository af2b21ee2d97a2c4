package io.agenthooks.spring.webhook;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolOutcome;

class WebhookPostToolHook extends WebhookHook implements PostToolHook {

	WebhookPostToolHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		endpoint().send(() -> endpoint().words().news(outcome));
	}

}
