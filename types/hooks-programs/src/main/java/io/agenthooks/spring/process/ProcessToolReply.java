package io.agenthooks.spring.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

final class ProcessToolReply extends ProcessReply {

	ProcessToolReply(Map<String, @Nullable Object> members) {
		super(members);
	}

	ToolDecision beforeTool(ToolCall call) throws NoVerdictException {
		ToolDecision objection = objection();
		if (objection != null) {
			return objection;
		}
		Map<String, @Nullable Object> arguments = arguments(call);
		String action = action();
		if (action == null && arguments == null) {
			throw invalid("has no action");
		}
		return switch ((action != null) ? action : "continue") {
			case "continue" -> (arguments != null) ? change(call, arguments) : ToolDecision.approve();
			case "modify" -> {
				if (arguments == null) {
					throw invalid("modifies the call, but has no arguments");
				}
				yield change(call, arguments);
			}
			case "respond" -> {
				ToolResult result = result();
				if (result == null) {
					throw invalid("responds, but has no result");
				}
				yield ToolDecision.respond(result);
			}
			default -> throw invalid("has an action that is unknown here", action);
		};
	}

	private static ToolDecision change(ToolCall call, Map<String, @Nullable Object> arguments)
			throws NoVerdictException {
		try {
			return (arguments.equals(call.arguments())) ? ToolDecision.approve() : ToolDecision.modify(arguments);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("has changed arguments that no call can have");
		}
	}

	ToolDecision approveTool() throws NoVerdictException {
		ToolDecision objection = objection();
		if (objection != null) {
			return objection;
		}
		checkWords();
		List<Object> answers = all(members(), "approved", "allow");
		if (answers.isEmpty() || !answers.stream().allMatch(Boolean.class::isInstance)) {
			throw invalid("has no 'approved' that is true or false");
		}
		return ToolDecision.approve();
	}

	ToolDecision afterTool(ToolResult original) throws NoVerdictException {
		ToolDecision objection = objection();
		if (objection != null) {
			return objection;
		}
		ToolResult result = result();
		String action = action();
		if (result == null && members().get("for_llm") != null) {
			throw invalid("has for_llm that is not in a result");
		}
		if (action == null && result == null) {
			throw invalid("has no action");
		}
		return switch ((action != null) ? action : "continue") {
			case "continue" -> replace(original, result);
			case "modify" -> {
				if (result == null) {
					throw invalid("modifies the result, but has none");
				}
				yield replace(original, result);
			}
			default -> throw invalid("has an action that is unknown here", action);
		};
	}

	private static ToolDecision replace(ToolResult original, @Nullable ToolResult result) {
		if (result == null
				|| (result.succeeded() == original.succeeded() && result.content().equals(original.content()))) {
			return ToolDecision.approve();
		}
		return ToolDecision
			.respond(new ToolResult(result.succeeded(), result.content(), null, original.additionalContext()));
	}

	/**
	 * The strictest. It holds whatever else is wrong with the answer: it is nothing for
	 * {@code fail_open} to let pass.
	 */
	private @Nullable ToolDecision objection() {
		return switch (Objection.of(members())) {
			case NONE -> null;
			case BLOCKS, DENIES -> ToolDecision.deny(reason());
			case ENDS_TURN -> ToolDecision.abortTurn(reason());
			case ENDS_RUN -> ToolDecision.abortRun(reason());
		};
	}

	private @Nullable Map<String, @Nullable Object> arguments(ToolCall call) throws NoVerdictException {
		Map<String, @Nullable Object> inner = object(members(), "call");
		List<Object> tools = new ArrayList<>(all(members(), "tool", "name"));
		tools.addAll(all(inner, "tool", "name"));
		String asked = call.identity().stableName();
		if (!tools.stream().allMatch((tool) -> tool.equals("") || tool.equals(asked))) {
			throw invalid("is about another tool");
		}
		List<Object> found = new ArrayList<>(all(members(), "arguments", "args"));
		found.addAll(all(inner, "arguments", "args"));
		Object arguments = only(Map.class, found, "call");
		if (arguments == null && members().get("call") != null && object(inner, "hook_result").isEmpty()) {
			throw invalid("has a call without arguments");
		}
		return (arguments != null) ? StrictJson.object((Map<?, ?>) arguments) : null;
	}

	/** PicoClaw nests it in another one after a call. */
	private @Nullable ToolResult result() throws NoVerdictException {
		Map<String, @Nullable Object> result = object(members(), "result");
		Map<String, @Nullable Object> call = object(members(), "call");
		List<Object> found = new ArrayList<>(all(members(), "hook_result"));
		found.addAll(all(call, "hook_result"));
		found.addAll(all(result, "result"));
		if (result.containsKey("for_llm") || (found.isEmpty() && !result.isEmpty())) {
			found.add(result);
		}
		Object only = only(Map.class, found, "result");
		if (only == null) {
			return null;
		}
		Map<String, @Nullable Object> members = StrictJson.object((Map<?, ?>) only);
		Object isError = members.get("is_error");
		if (!(members.get("for_llm") instanceof String text) || !(isError == null || isError instanceof Boolean)) {
			throw invalid("has a result without valid for_llm and is_error");
		}
		return new ToolResult(!Boolean.TRUE.equals(isError), text, null);
	}

}
