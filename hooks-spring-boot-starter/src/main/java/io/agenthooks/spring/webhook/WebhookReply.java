package io.agenthooks.spring.webhook;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * The answer of the endpoint, read strictly: one JSON object in UTF-8, no name twice,
 * nothing after it, and a verdict that is spelled exactly so. Two readers must not
 * understand it differently, and what cannot be understood is no approval. Members that
 * this reader does not know are left alone.
 */
final class WebhookReply {

	/**
	 * The reply is one level around the arguments.
	 */
	private static final StrictJson json = new StrictJson(1);

	private final Map<?, ?> members;

	private WebhookReply(Map<?, ?> members) {
		this.members = members;
	}

	/**
	 * What the endpoint decided about a call.
	 * @throws WebhookException if that is not a valid verdict
	 */
	static ToolDecision decisionOf(byte[] body, ToolCall call) {
		try {
			return new WebhookReply(json.readObject(body)).decisionAbout(call);
		}
		catch (InvalidJsonException ex) {
			throw invalid(ex.getMessage());
		}
	}

	private ToolDecision decisionAbout(ToolCall call) {
		String callId = text("call_id");
		if (callId != null && !callId.equals(call.id())) {
			throw invalid("is about another call");
		}
		String reasoning = text("reasoning");
		String verdict = text("verdict");
		if (verdict == null) {
			throw invalid("has no verdict");
		}
		return switch (verdict) {
			case "approve" -> ToolDecision.approve();
			case "deny" -> ToolDecision.deny(orElse(reasoning, "The webhook gave no reason"));
			case "modify" -> ToolDecision.modify(modifiedArguments());
			case "respond" -> ToolDecision.respond(result());
			case "ask" -> ToolDecision.ask(orElse(reasoning, "The webhook wants a person to approve this call"));
			case "abort" -> abort(orElse(reasoning, "The webhook gave no reason"));
			default -> throw invalid("has a verdict that is none of approve, deny, modify, respond, ask and abort");
		};
	}

	/**
	 * A text that may be missing, but may not be anything else.
	 */
	private @Nullable String text(String name) {
		Object value = this.members.get(name);
		if (value == null) {
			return null;
		}
		if (!(value instanceof String text)) {
			throw invalid("has a " + name + " that is not a string");
		}
		return text;
	}

	private Map<String, @Nullable Object> modifiedArguments() {
		if (!(this.members.get("modified_arguments") instanceof Map<?, ?> arguments)) {
			throw invalid("has the verdict modify, but no object modified_arguments");
		}
		return StrictJson.object(arguments);
	}

	private ToolResult result() {
		Object result = this.members.get("result");
		if (result == null) {
			throw invalid("has the verdict respond, but no result");
		}
		return (result instanceof String text) ? ToolResult.success(text)
				: ToolResult.success(StrictJson.textOf(result), result);
	}

	private ToolDecision abort(String reason) {
		String scope = text("scope");
		if (scope == null || scope.equals("turn")) {
			return ToolDecision.abortTurn(reason);
		}
		if (scope.equals("run")) {
			return ToolDecision.abortRun(reason);
		}
		throw invalid("has a scope that is neither turn nor run");
	}

	private static String orElse(@Nullable String reasoning, String other) {
		return (reasoning == null || reasoning.isBlank()) ? other : reasoning;
	}

	private static WebhookException invalid(String what) {
		return WebhookException.refusal("The answer of the webhook " + what);
	}

}
