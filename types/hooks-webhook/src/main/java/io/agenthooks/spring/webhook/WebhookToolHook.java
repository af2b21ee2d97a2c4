package io.agenthooks.spring.webhook;

import io.agenthooks.spring.external.ArgumentNames;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

class WebhookToolHook extends WebhookHook implements PreToolHook {

	private final NoVerdictMode<ToolCall, ToolDecision> failMode;

	WebhookToolHook(WebhookEndpoint endpoint) {
		super(endpoint);
		this.failMode = NoVerdictMode.ofToolCalls(endpoint.name(), endpoint.failOpen(), true);
	}

	@Override
	NoVerdictMode<ToolCall, ToolDecision> failMode() {
		return this.failMode;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return endpoint().ask(call, this.failMode, (asked) -> {
			ArgumentNames.check(asked);
			return endpoint().words().question(asked);
		}, (answer) -> endpoint().words().decision(answer, call));
	}

}
