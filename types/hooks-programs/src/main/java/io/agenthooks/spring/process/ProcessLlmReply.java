package io.agenthooks.spring.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.PromptJson;

final class ProcessLlmReply extends ProcessReply {

	ProcessLlmReply(Map<String, @Nullable Object> members) {
		super(members);
	}

	LlmDecision beforeLlm(LlmCall call, Consumer<String> ignored) throws NoVerdictException {
		LlmDecision objection = objection();
		if (objection != null) {
			return objection;
		}
		if (!checkChange("request", "messages", "options")) {
			return LlmDecision.approve();
		}
		try {
			LlmCall changed = PromptJson.withRequest(call, object(members(), "request"), "options", ignored);
			return (changed.equals(call)) ? LlmDecision.approve() : LlmDecision.modify(changed);
		}
		catch (InvalidJsonException ex) {
			throw invalid(ex.getMessage());
		}
	}

	LlmDecision afterLlm(LlmResponse original) throws NoVerdictException {
		LlmDecision objection = objection();
		if (objection != null) {
			return objection;
		}
		if (!checkChange("response", "content", "tool_calls")) {
			return LlmDecision.approve();
		}
		Map<String, @Nullable Object> outer = object(members(), "response");
		Map<String, @Nullable Object> response = (outer.get("response") != null) ? object(outer, "response") : outer;
		if (!(response.get("content") instanceof String content)) {
			throw invalid("has a response without content");
		}
		LlmResponse changed = new LlmResponse(content, toolCalls(response.get("tool_calls"), original),
				original.finishReason(), original.usage(), original.model(), original.source());
		return (changed.equals(original)) ? LlmDecision.approve() : LlmDecision.respond(changed);
	}

	/** As in PicoClaw those that do not come back are gone; new ones there cannot be. */
	private static List<LlmToolCall> toolCalls(@Nullable Object written, LlmResponse original)
			throws NoVerdictException {
		if (written == null) {
			return List.of();
		}
		if (!(written instanceof List<?> calls)) {
			throw invalid("has tool_calls that are not a list");
		}
		List<LlmToolCall> left = new ArrayList<>();
		for (Object call : calls) {
			left.add(original.toolCalls()
				.stream()
				.filter((known) -> isWritten(known, call))
				.findFirst()
				.orElseThrow(() -> invalid("has other tool_calls than the model wants")));
		}
		return left;
	}

	private static boolean isWritten(LlmToolCall call, @Nullable Object written) {
		return written instanceof Map<?, ?> members && call.id().equals(members.get("id"))
				&& members.get("function") instanceof Map<?, ?> function && call.name().equals(function.get("name"))
				&& call.arguments().equals(function.get("arguments"));
	}

	/**
	 * PicoClaw has no action that denies an answer; one with that of tools surely does
	 * not approve.
	 */
	private @Nullable LlmDecision objection() {
		return switch (Objection.of(members())) {
			case NONE -> null;
			case BLOCKS, DENIES -> LlmDecision.deny(reason());
			case ENDS_TURN -> LlmDecision.abortTurn(reason());
			case ENDS_RUN -> LlmDecision.abortRun(reason());
		};
	}

}
