package io.agenthooks.spring.webhook;

import io.agenthooks.SafeText;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Asks an {@linkplain WebhookEndpoint endpoint} about tool calls.
 */
class WebhookToolHook extends WebhookHook implements PreToolHook {

	WebhookToolHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return endpoint().ask(() -> WebhookMessage.preCall(call),
				new WebhookEndpoint.Verdicts<>((reply) -> reply.decisionAbout(call), ToolDecision::failedOpen,
						ToolDecision::deny),
				() -> "call '%s' of the tool '%s'".formatted(SafeText.name(call.id()), SafeText.name(call.tool())));
	}

}
