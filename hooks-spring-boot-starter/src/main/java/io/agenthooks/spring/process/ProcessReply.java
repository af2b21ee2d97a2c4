package io.agenthooks.spring.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.PromptJson;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * What the program answered, in either dialect of PicoClaw: with {@code action} or with
 * {@code decision} around it, with {@code call} around {@code arguments} or with
 * {@code args}. As in PicoClaw arguments that come back hold also without an action; an
 * answer that says nothing at all is none.
 */
final class ProcessReply {

	private static final String NO_REASON = "The process gave no reason";

	private final Map<String, @Nullable Object> members;

	private final Map<String, @Nullable Object> decision;

	private ProcessReply(Map<String, @Nullable Object> members) {
		this.members = members;
		this.decision = (members.get("decision") instanceof Map<?, ?> inner) ? StrictJson.object(inner) : Map.of();
	}

	/**
	 * What it decided before a call.
	 */
	static ToolDecision beforeTool(Map<String, @Nullable Object> result, ToolCall call) throws NoVerdictException {
		return new ProcessReply(result).beforeTool(call);
	}

	/**
	 * Whether it approved a call.
	 */
	static ToolDecision approveTool(Map<String, @Nullable Object> result) throws NoVerdictException {
		return new ProcessReply(result).approveTool();
	}

	/**
	 * What it decided about a result.
	 */
	static ToolDecision afterTool(Map<String, @Nullable Object> result, ToolResult original) throws NoVerdictException {
		return new ProcessReply(result).afterTool(original);
	}

	/**
	 * What it decided before a model call.
	 * @param ignored is told what it wants to change and cannot
	 */
	static LlmDecision beforeLlm(Map<String, @Nullable Object> result, LlmCall call, Consumer<String> ignored)
			throws NoVerdictException {
		return new ProcessReply(result).beforeLlm(call, ignored);
	}

	/**
	 * What it decided about the response of a model.
	 */
	static LlmDecision afterLlm(Map<String, @Nullable Object> result, LlmResponse original) throws NoVerdictException {
		return new ProcessReply(result).afterLlm(original);
	}

	private ToolDecision beforeTool(ToolCall call) throws NoVerdictException {
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
			default -> throw invalid("has an action that is unknown here");
		};
	}

	private static ToolDecision change(ToolCall call, Map<String, @Nullable Object> arguments)
			throws NoVerdictException {
		try {
			return (arguments.equals(call.arguments())) ? ToolDecision.approve() : ToolDecision.modify(arguments);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("changes arguments to what cannot be some");
		}
	}

	private ToolDecision approveTool() throws NoVerdictException {
		ToolDecision objection = objection();
		if (objection != null) {
			return objection;
		}
		List<Object> answers = all(this.members, "approved", "allow");
		if (answers.isEmpty() || !answers.stream().allMatch(Boolean.class::isInstance)) {
			throw invalid("has no 'approved' that is true or false");
		}
		return ToolDecision.approve();
	}

	private ToolDecision afterTool(ToolResult original) throws NoVerdictException {
		ToolDecision objection = objection();
		if (objection != null) {
			return objection;
		}
		ToolResult result = result();
		String action = action();
		if (result == null && this.members.get("for_llm") != null) {
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
			default -> throw invalid("has an action that is unknown here");
		};
	}

	private LlmDecision beforeLlm(LlmCall call, Consumer<String> ignored) throws NoVerdictException {
		LlmDecision objection = objectionToModel();
		if (objection != null) {
			return objection;
		}
		if (!checkChange("request", "messages", "options")) {
			return LlmDecision.approve();
		}
		try {
			LlmCall changed = PromptJson.withRequest(call, object(this.members, "request"), "options", ignored);
			return (changed.equals(call)) ? LlmDecision.approve() : LlmDecision.modify(changed);
		}
		catch (InvalidJsonException ex) {
			throw invalid(ex.getMessage());
		}
	}

	private LlmDecision afterLlm(LlmResponse original) throws NoVerdictException {
		LlmDecision objection = objectionToModel();
		if (objection != null) {
			return objection;
		}
		if (!checkChange("response", "content", "tool_calls")) {
			return LlmDecision.approve();
		}
		Map<String, @Nullable Object> outer = object(this.members, "response");
		Map<String, @Nullable Object> response = (outer.get("response") != null) ? object(outer, "response") : outer;
		if (!(response.get("content") instanceof String content)) {
			throw invalid("has a response without content");
		}
		LlmResponse changed = new LlmResponse(content, toolCalls(response.get("tool_calls"), original),
				original.finishReason(), original.usage(), original.model(), original.source());
		return (changed.equals(original)) ? LlmDecision.approve() : LlmDecision.respond(changed);
	}

	/**
	 * Check what does not object. As in PicoClaw what comes back holds also without an
	 * action, and if it continues. Where nobody reads it, it must not go unnoticed: it
	 * may be meant to take a secret out.
	 * @param name what may come back
	 * @param within what may be in that, and not beside it
	 * @return whether something came back
	 */
	private boolean checkChange(String name, String... within) throws NoVerdictException {
		String action = action();
		boolean changed = this.members.get(name) != null;
		if (!changed && !all(this.members, within).isEmpty()) {
			throw invalid("has " + String.join(" or ", within) + " that are not in a " + name);
		}
		if (!changed && this.members.keySet().stream().anyMatch(name::equalsIgnoreCase)) {
			throw invalid("has a " + name + " that is spelled otherwise than it should be");
		}
		if (action == null && !changed) {
			throw invalid("has no action");
		}
		if (action != null && !action.equals("continue") && !action.equals("modify")) {
			throw invalid("has an action that is unknown here");
		}
		if ("modify".equals(action) && !changed) {
			throw invalid("modifies something, but does not say to what");
		}
		return changed;
	}

	/**
	 * The wishes to call tools that are left. As in PicoClaw those that do not come back
	 * are gone; new ones there cannot be.
	 */
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

	private static ToolDecision replace(ToolResult original, @Nullable ToolResult result) {
		if (result == null
				|| (result.succeeded() == original.succeeded() && result.content().equals(original.content()))) {
			return ToolDecision.approve();
		}
		return ToolDecision
			.respond(new ToolResult(result.succeeded(), result.content(), null, original.additionalContext()));
	}

	/**
	 * What the answer is surely against, the strictest of it, or {@code null}. That holds
	 * whatever else is wrong with it: it is nothing for {@code fail_open} to let pass.
	 */
	private @Nullable ToolDecision objection() {
		return switch (Objection.of(this.members)) {
			case NONE -> null;
			case BLOCKS, DENIES -> ToolDecision.deny(reason());
			case ENDS_TURN -> ToolDecision.abortTurn(reason());
			case ENDS_RUN -> ToolDecision.abortRun(reason());
		};
	}

	/**
	 * The same about a model call or its response. PicoClaw has no action that denies
	 * one; who answers with that of tools surely does not approve.
	 */
	private @Nullable LlmDecision objectionToModel() {
		return switch (Objection.of(this.members)) {
			case NONE -> null;
			case BLOCKS, DENIES -> LlmDecision.deny(reason());
			case ENDS_TURN -> LlmDecision.abortTurn(reason());
			case ENDS_RUN -> LlmDecision.abortRun(reason());
		};
	}

	private @Nullable String action() throws NoVerdictException {
		object(this.members, "decision");
		return (String) only(String.class, actions(), "action");
	}

	private List<Object> actions() {
		List<Object> actions = new ArrayList<>(all(this.members, "action"));
		actions.addAll(all(this.decision, "action"));
		return actions;
	}

	/**
	 * The arguments that came back, or {@code null} if there are none.
	 */
	private @Nullable Map<String, @Nullable Object> arguments(ToolCall call) throws NoVerdictException {
		Map<String, @Nullable Object> inner = object(this.members, "call");
		List<Object> tools = new ArrayList<>(all(this.members, "tool", "name"));
		tools.addAll(all(inner, "tool", "name"));
		String asked = call.identity().stableName();
		if (!tools.stream().allMatch((tool) -> tool.equals("") || tool.equals(asked))) {
			throw invalid("is about another tool");
		}
		List<Object> found = new ArrayList<>(all(this.members, "arguments", "args"));
		found.addAll(all(inner, "arguments", "args"));
		Object arguments = only(Map.class, found, "call");
		if (arguments == null && this.members.get("call") != null && object(inner, "hook_result").isEmpty()) {
			throw invalid("has a call without arguments");
		}
		return (arguments != null) ? StrictJson.object((Map<?, ?>) arguments) : null;
	}

	/**
	 * The result that came back, or {@code null} if there is none. PicoClaw nests it in
	 * another one after a call.
	 */
	private @Nullable ToolResult result() throws NoVerdictException {
		Map<String, @Nullable Object> result = object(this.members, "result");
		Map<String, @Nullable Object> call = object(this.members, "call");
		List<Object> found = new ArrayList<>(all(this.members, "hook_result"));
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
			throw invalid("has a result that is none");
		}
		return new ToolResult(!Boolean.TRUE.equals(isError), text, null);
	}

	private String reason() {
		return Stream.of(this.members, this.decision)
			.map((from) -> from.get("reason"))
			.filter((reason) -> reason instanceof String text && !text.isBlank())
			.map(String.class::cast)
			.findFirst()
			.orElse(NO_REASON);
	}

	private static Map<String, @Nullable Object> object(Map<String, @Nullable Object> members, String name)
			throws NoVerdictException {
		Object value = members.get(name);
		if (value == null) {
			return Map.of();
		}
		if (!(value instanceof Map<?, ?> object)) {
			throw invalid("has a " + name + " that is not an object");
		}
		return StrictJson.object(object);
	}

	private static List<Object> all(Map<String, @Nullable Object> members, String... names) {
		return List.of(names).stream().map(members::get).filter(Objects::nonNull).map(Object.class::cast).toList();
	}

	/**
	 * The one value, or {@code null}. There may be several if they are the same.
	 */
	private static @Nullable Object only(Class<?> type, List<Object> values, String name) throws NoVerdictException {
		if (values.isEmpty()) {
			return null;
		}
		if (!type.isInstance(values.get(0)) || values.stream().distinct().count() > 1) {
			throw invalid("has a " + name + " that cannot be understood");
		}
		return values.get(0);
	}

	private static NoVerdictException invalid(String what) {
		return NoVerdictException.failure("The answer of the process " + what);
	}

}
