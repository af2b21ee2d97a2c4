package io.agenthooks.spring.webhook;

import io.agenthooks.SafeText;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;

/**
 * Asks an {@linkplain WebhookEndpoint endpoint} whether a run may begin, and tells it how
 * it ended.
 */
final class WebhookRunHook extends WebhookPostRunHook implements PreRunHook {

	WebhookRunHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public RunDecision preRun(AgentRun run) {
		return endpoint().ask(
				() -> WebhookMessage.preRun(run), new WebhookEndpoint.Verdicts<>((reply) -> reply.decisionAbout(run),
						RunDecision::failedOpen, RunDecision::deny),
				() -> "run '%s'".formatted(SafeText.name(run.id())));
	}

}
