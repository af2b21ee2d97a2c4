package io.agenthooks.spring.webhook;

import java.util.List;

import io.agenthooks.SafeText;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.PreCallWarnings;

/**
 * Asks an {@linkplain WebhookEndpoint endpoint} whether a run may begin, and tells it how
 * it ended.
 */
final class WebhookRunHook extends WebhookPostRunHook implements PreRunHook, PreCallWarnings {

	WebhookRunHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public String name() {
		return endpoint().name();
	}

	@Override
	public List<String> preCallWarnings(HookOptions options) {
		return endpoint().preCallWarnings();
	}

	@Override
	public RunDecision preRun(AgentRun run) {
		return endpoint().ask(
				() -> WebhookMessage.preRun(run), new WebhookEndpoint.Verdicts<>((reply) -> reply.decisionAbout(run),
						RunDecision::failedOpen, RunDecision::deny),
				() -> "run '%s'".formatted(SafeText.name(run.id())));
	}

}
