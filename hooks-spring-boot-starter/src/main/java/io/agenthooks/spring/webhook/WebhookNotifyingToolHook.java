package io.agenthooks.spring.webhook;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * A webhook that also tells the endpoint how calls ended.
 */
final class WebhookNotifyingToolHook extends WebhookToolHook implements PostToolHook {

	WebhookNotifyingToolHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		endpoint().tell(() -> WebhookMessage.postCall(outcome));
	}

}
