package io.agenthooks.spring.webhook;

import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.external.NoVerdictMode;

final class WebhookRunHook extends WebhookPostRunHook implements PreRunHook {

	private final NoVerdictMode<AgentRun, RunDecision> failMode;

	WebhookRunHook(WebhookEndpoint endpoint) {
		super(endpoint);
		this.failMode = NoVerdictMode.ofRuns(endpoint.name(), endpoint.failOpen(), true);
	}

	@Override
	NoVerdictMode<AgentRun, RunDecision> failMode() {
		return this.failMode;
	}

	@Override
	public RunDecision preRun(AgentRun run) {
		return endpoint().ask(run, this.failMode, (asked) -> endpoint().words().question(asked),
				(answer) -> endpoint().words().decision(answer, run));
	}

}
