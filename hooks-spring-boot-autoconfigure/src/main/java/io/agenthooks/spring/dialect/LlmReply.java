package io.agenthooks.spring.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.PromptJson;

/**
 * The answer of a decider about a model call: decisions are spelled as about tool calls,
 * and changes as in Gemini CLI.
 *
 * @since 0.1.0
 */
public final class LlmReply {

	private static final String REQUEST = "llm_request";

	private static final String RESPONSE = "llm_response";

	private LlmReply() {
	}

	/**
	 * The decision about a call.
	 * @param reply what was answered
	 * @param call the call
	 * @param requireDecision whether a reply without a decision is a failure
	 * @param ignored is told what the reply wants to change and cannot
	 * @return the decision
	 * @throws InvalidJsonException if there is none
	 */
	public static LlmDecision beforeCall(DialectReply reply, LlmCall call, boolean requireDecision,
			Consumer<String> ignored) {
		LlmDecision objection = objection(reply);
		if (objection != null) {
			return (objection.verdict() == Verdict.DENY) ? orAnswer(objection, reply) : objection;
		}
		boolean decided = reply.allows(List.of("BeforeModel"), "model call", REQUEST, RESPONSE);
		Map<String, @Nullable Object> request = reply.nested(REQUEST);
		Map<String, @Nullable Object> response = reply.nested(RESPONSE);
		if (requireDecision && !decided && request == null && response == null) {
			throw new InvalidJsonException("has no decision");
		}
		LlmCall changed = (request != null) ? PromptJson.withRequest(call, request, "config", ignored) : call;
		LlmDecision decision = (changed.equals(call)) ? LlmDecision.approve() : LlmDecision.modify(changed);
		if (response != null) {
			if (!changed.equals(call)) {
				throw new InvalidJsonException("answers a call and changes it, which cannot be done at once");
			}
			decision = LlmDecision.respond(LlmResponse.of(textOf(response, null)));
		}
		String context = reply.context();
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	/**
	 * The decision about a response.
	 * @param reply what was answered
	 * @param original the response
	 * @param requireDecision whether a reply without a decision is a failure
	 * @return the decision
	 * @throws InvalidJsonException if there is none
	 */
	public static LlmDecision afterCall(DialectReply reply, LlmResponse original, boolean requireDecision) {
		LlmDecision objection = objection(reply);
		if (objection != null) {
			return objection;
		}
		boolean decided = reply.allows(List.of("AfterModel"), "response", RESPONSE);
		Map<String, @Nullable Object> response = reply.nested(RESPONSE);
		if (requireDecision && !decided && response == null) {
			throw new InvalidJsonException("has no decision");
		}
		String text = (response != null) ? textOf(response, original.text()) : original.text();
		return (text.equals(original.text())) ? LlmDecision.approve() : LlmDecision.respond(original.withText(text));
	}

	private static @Nullable LlmDecision objection(DialectReply reply) {
		if (reply.ends()) {
			return LlmDecision.abortTurn(reply.reasonOfEnd());
		}
		return (reply.denies()) ? LlmDecision.deny(reply.reason()) : null;
	}

	/**
	 * Gemini CLI takes a response only from a hook that blocks. In either case the model
	 * is not asked.
	 */
	private static LlmDecision orAnswer(LlmDecision denial, DialectReply reply) {
		try {
			Map<String, @Nullable Object> response = reply.nested(RESPONSE);
			return (response != null) ? LlmDecision.respond(LlmResponse.of(textOf(response, null))) : denial;
		}
		catch (InvalidJsonException ex) {
			return denial;
		}
	}

	/** It was sent in two places, of which a command may change only one. */
	private static String textOf(Map<String, @Nullable Object> response, @Nullable String original) {
		List<String> texts = new ArrayList<>();
		if (response.get("text") != null) {
			texts.add(string(response.get("text")));
		}
		if (response.get("candidates") instanceof List<?> candidates && !candidates.isEmpty()) {
			texts.add(textOf(candidates.get(0)));
		}
		if (texts.isEmpty()) {
			throw new InvalidJsonException("has an llm_response without a text");
		}
		List<String> changed = texts.stream().filter((text) -> !text.equals(original)).distinct().toList();
		if (changed.size() > 1) {
			throw new InvalidJsonException("says two different things at once");
		}
		return (changed.isEmpty()) ? texts.get(0) : changed.get(0);
	}

	private static String textOf(@Nullable Object candidate) {
		if (!(candidate instanceof Map<?, ?> members) || !(members.get("content") instanceof Map<?, ?> content)
				|| !(content.get("parts") instanceof List<?> parts)) {
			throw new InvalidJsonException("has a candidate without parts");
		}
		StringBuilder text = new StringBuilder();
		for (Object part : parts) {
			text.append(string((part instanceof Map<?, ?> named) ? named.get("text") : part));
		}
		return text.toString();
	}

	private static String string(@Nullable Object value) {
		if (!(value instanceof String text)) {
			throw new InvalidJsonException("has an llm_response whose text is not a string");
		}
		return text;
	}

}
