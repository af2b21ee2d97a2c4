package io.agenthooks.spring.webhook;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.external.ForeignWords;
import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.PromptJson;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * Read strictly: one JSON object, no name twice, nothing after it, and an exact verdict.
 * Two readers must not understand it differently, and what cannot be understood is no
 * approval. Unknown members are left alone, unless they deny, change or ask in another
 * system.
 */
final class WebhookReply {

	private static final String PREFIX = "The answer of the webhook ";

	/** The reply is one level around the arguments. */
	private static final StrictJson json = new StrictJson(1);

	/**
	 * A denial beside them contradicts. What {@code respond} answers with may say
	 * anything.
	 */
	private static final Set<String> WITHOUT_OBJECTION = Set.of("approve", "modify", "ask");

	/** In any spelling. */
	private static final Set<String> CHANGES = Set.of("modifiedarguments", "modifiedmessages");

	private static final Set<String> OWN = Set.of("verdict", "modified_arguments", "modified_messages");

	private final Map<?, ?> members;

	private WebhookReply(Map<?, ?> members) {
		this.members = members;
	}

	static WebhookReply of(byte[] body) {
		try {
			return new WebhookReply(json.readObject(body));
		}
		catch (InvalidJsonException ex) {
			throw invalid(ex.getMessage());
		}
	}

	ToolDecision decisionAbout(ToolCall call) {
		ToolDecision decision = toolDecision(verdictAbout(call.id()));
		String additionalContext = text("additional_context");
		return (additionalContext != null) ? decision.withAdditionalContext(additionalContext) : decision;
	}

	private ToolDecision toolDecision(String verdict) {
		return switch (verdict) {
			case "approve" -> ToolDecision.approve();
			case "deny" -> ToolDecision.deny(reason());
			case "modify" -> ToolDecision.modify(modifiedArguments());
			case "respond" -> ToolDecision.respond(result());
			case "ask" -> ToolDecision.ask(reasoning("The webhook wants a person to approve this call"));
			case "abort" -> (abortsRun()) ? ToolDecision.abortRun(reason()) : ToolDecision.abortTurn(reason());
			default -> throw unknown(verdict, "approve, deny, modify, respond, ask and abort");
		};
	}

	LlmDecision decisionAbout(LlmCall call) {
		String verdict = verdictAbout(call.id());
		LlmDecision decision = switch (verdict) {
			case "approve" -> LlmDecision.approve();
			case "deny" -> LlmDecision.deny(reason());
			case "modify" -> LlmDecision.modify(modified(call));
			case "respond" -> LlmDecision.respond(LlmResponse.of(content()));
			case "abort" -> (abortsRun()) ? LlmDecision.abortRun(reason()) : LlmDecision.abortTurn(reason());
			default -> throw unknown(verdict, "approve, deny, modify, respond and abort");
		};
		String context = text("additional_context");
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	RunDecision decisionAbout(AgentRun run) {
		String verdict = verdictAbout(run.id());
		RunDecision decision = switch (verdict) {
			case "approve" -> RunDecision.approve();
			case "deny" -> RunDecision.deny(reason());
			case "abort" -> RunDecision.abortRun(reason());
			default -> throw unknown(verdict, "approve, deny and abort");
		};
		String context = text("additional_context");
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	private String verdictAbout(String id) {
		String callId = text("call_id");
		if (callId != null && !callId.equals(id)) {
			throw invalid("is about another call");
		}
		String verdict = text("verdict");
		// A reasoning that is not text is a mistake, also where nobody reads it.
		text("reasoning");
		if (verdict == null) {
			throw invalid("has no verdict");
		}
		if (verdict.equals("approve") && this.members.keySet().stream().anyMatch(this::isChange)) {
			throw invalid("approves the call as it is, but holds a change of it, for which the verdict is modify");
		}
		String foreign = (verdict.equals("approve") || verdict.equals("modify")) ? ForeignWords.find(this.members, OWN)
				: null;
		if (foreign != null) {
			throw WebhookException.refusal(
					PREFIX + "has a change, or a question, in the words of another system, which are not read",
					foreign);
		}
		if (WITHOUT_OBJECTION.contains(verdict) && Objection.of(this.members) != Objection.NONE) {
			throw invalid("says two things: beside its verdict there is a denial");
		}
		return verdict;
	}

	/** Some servers send all members that there are. */
	private boolean isChange(Object name) {
		Object value = this.members.get(name);
		return CHANGES.contains(Objection.normalize(name.toString())) && value != null && !Map.of().equals(value)
				&& !List.of().equals(value);
	}

	private String reason() {
		return reasoning("The webhook gave no reason");
	}

	private String reasoning(String other) {
		String reasoning = text("reasoning");
		return (reasoning == null || reasoning.isBlank()) ? other : reasoning;
	}

	/** It may be missing, but may not be anything else. */
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
		Map<String, @Nullable Object> modified = new LinkedHashMap<>();
		arguments.forEach((name, value) -> modified.put((String) name, value));
		return modified;
	}

	private ToolResult result() {
		Object result = this.members.get("result");
		if (result == null) {
			throw invalid("has the verdict respond, but no result");
		}
		return (result instanceof String text) ? ToolResult.success(text)
				: ToolResult.success(StrictJson.textOf(result), result);
	}

	private boolean abortsRun() {
		String scope = text("scope");
		if (scope == null || scope.equals("turn")) {
			return false;
		}
		if (scope.equals("run")) {
			return true;
		}
		throw invalid("has a scope that is neither turn nor run");
	}

	private String content() {
		String content = text("content");
		if (content == null) {
			throw invalid("has the verdict respond, but no content");
		}
		return content;
	}

	private LlmCall modified(LlmCall call) {
		if (!(this.members.get("modified_messages") instanceof List<?> messages)) {
			throw invalid("has the verdict modify, but no list modified_messages");
		}
		try {
			return PromptJson.withMessages(call, messages);
		}
		catch (InvalidJsonException ex) {
			throw invalid(ex.getMessage());
		}
	}

	private static WebhookException unknown(String verdict, String known) {
		return WebhookException.refusal(PREFIX + "has a verdict that is none of " + known, verdict);
	}

	private static WebhookException invalid(String what) {
		return WebhookException.refusal(PREFIX + what);
	}

}
