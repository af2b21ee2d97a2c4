package io.agenthooks.spring.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.child.NoVerdictException;
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

	/** PicoClaw's is {@code deny_tool}. */
	private static final Pattern DENIAL = Pattern.compile("(?i)\\s*(deny|denied|block|reject|cancel)\\w*\\s*");

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

	private ToolDecision beforeTool(ToolCall call) throws NoVerdictException {
		ToolDecision objection = objection(true);
		if (objection != null) {
			return objection;
		}
		Map<String, @Nullable Object> arguments = arguments(call);
		String action = action();
		if (action == null && arguments == null) {
			throw invalid("says nothing");
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
		List<Object> answers = all(this.members, "approved", "allow");
		if (answers.isEmpty() || !answers.stream().allMatch(Boolean.class::isInstance)) {
			throw invalid("neither approves nor denies");
		}
		return (answers.contains(false)) ? ToolDecision.deny(reason()) : ToolDecision.approve();
	}

	private ToolDecision afterTool(ToolResult original) throws NoVerdictException {
		ToolDecision objection = objection(false);
		if (objection != null) {
			return objection;
		}
		ToolResult result = result();
		String action = action();
		if (action == null && result == null) {
			throw invalid("says nothing");
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
	 * @param deniable whether there is still something to deny
	 */
	private @Nullable ToolDecision objection(boolean deniable) {
		List<Object> actions = actions();
		if (actions.contains("hard_abort")) {
			return ToolDecision.abortRun(reason());
		}
		if (actions.contains("abort_turn")) {
			return ToolDecision.abortTurn(reason());
		}
		boolean denies = actions.stream().anyMatch(ProcessReply::denies)
				|| all(this.members, "approved", "allow").contains(false);
		return (deniable && denies) ? ToolDecision.deny(reason()) : null;
	}

	/**
	 * Whether an action is a denial, in whatever spelling.
	 */
	private static boolean denies(Object action) {
		return action instanceof String text && DENIAL.matcher(text).matches();
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
		if (!tools.stream().allMatch((tool) -> tool.equals("") || tool.equals(call.tool()))) {
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
