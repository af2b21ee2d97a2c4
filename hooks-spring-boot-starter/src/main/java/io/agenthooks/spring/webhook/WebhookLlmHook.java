package io.agenthooks.spring.webhook;

import io.agenthooks.SafeText;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;

/**
 * Asks an {@linkplain WebhookEndpoint endpoint} about model calls, and tells it how they
 * ended.
 */
final class WebhookLlmHook extends WebhookPostLlmHook implements PreLlmHook {

	WebhookLlmHook(WebhookEndpoint endpoint) {
		super(endpoint);
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		return endpoint().ask(
				() -> WebhookMessage.preCall(call), new WebhookEndpoint.Verdicts<>((reply) -> reply.decisionAbout(call),
						LlmDecision::failedOpen, LlmDecision::deny),
				() -> "model call '%s'".formatted(SafeText.name(call.id())));
	}

}
