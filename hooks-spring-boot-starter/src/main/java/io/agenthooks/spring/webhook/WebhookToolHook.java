package io.agenthooks.spring.webhook;

import java.util.List;

import io.agenthooks.SafeText;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.PreCallWarnings;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Asks an {@linkplain WebhookEndpoint endpoint} about tool calls.
 */
class WebhookToolHook implements PreToolHook, PreCallWarnings, AutoCloseable {

	private final WebhookEndpoint endpoint;

	WebhookToolHook(WebhookEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	WebhookEndpoint endpoint() {
		return this.endpoint;
	}

	@Override
	public String name() {
		return this.endpoint.name();
	}

	@Override
	public List<String> preCallWarnings(HookOptions options) {
		return this.endpoint.preCallWarnings();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.endpoint.ask(() -> WebhookMessage.preCall(call),
				new WebhookEndpoint.Verdicts<>((reply) -> reply.decisionAbout(call), ToolDecision::failedOpen,
						ToolDecision::deny),
				() -> "call '%s' of the tool '%s'".formatted(SafeText.name(call.id()), SafeText.name(call.tool())));
	}

	@Override
	public void close() {
		this.endpoint.close();
	}

}
