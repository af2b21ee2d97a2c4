package io.agenthooks.spring.webhook;

import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunOutcome;

class WebhookPostRunHook extends WebhookHook implements PostRunHook {

	WebhookPostRunHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public void postRun(RunOutcome outcome) {
		endpoint().send(() -> endpoint().words().news(outcome));
	}

}
