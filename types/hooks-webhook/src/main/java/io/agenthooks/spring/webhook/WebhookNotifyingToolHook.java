package io.agenthooks.spring.webhook;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolOutcome;

final class WebhookNotifyingToolHook extends WebhookToolHook implements PostToolHook {

	private final boolean seesUnaskedCalls;

	WebhookNotifyingToolHook(WebhookEndpoint endpoint, boolean seesUnaskedCalls) {
		super(endpoint);
		this.seesUnaskedCalls = seesUnaskedCalls;
	}

	@Override
	public boolean seesUnaskedCalls() {
		return this.seesUnaskedCalls;
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		endpoint().send(() -> endpoint().words().news(outcome));
	}

}
