package io.agenthooks.spring.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * What a command wrote, as JSON. Claude Code's {@code hookSpecificOutput} is read before
 * what stands beside it, which is spelled as in Claude Code, AgentPool, Cursor, Copilot,
 * Gemini CLI or PulseBot. If it says several things, the strictest holds: what ends the
 * turn, before what denies, before what asks, before what allows. What is spelled
 * otherwise is a mistake, and members that nobody knows are left alone.
 */
final class CommandReply {

	/** Arguments may stand in an object within the reply. */
	private static final StrictJson json = new StrictJson(2);

	private static final List<String> DECISIONS = List.of("permissionDecision", "decision", "permission", "verdict");

	private static final List<String> REASONS = List.of("permissionDecisionReason", "reason", "reasoning",
			"agent_message", "user_message");

	private static final List<String> ARGUMENTS = List.of("updatedInput", "modified_input", "updated_input",
			"modifiedArgs", "modified_arguments");

	private static final List<String> CONTEXTS = List.of("additionalContext", "additional_context");

	private static final List<String> OUTPUTS = List.of("updatedToolOutput", "updatedMCPToolOutput", "modifiedResult");

	/** The nested object, which may be empty, and the whole. */
	private final Map<String, @Nullable Object> nested;

	private final Map<String, @Nullable Object> whole;

	private CommandReply(Map<String, @Nullable Object> whole, String event) {
		this.whole = whole;
		Object inner = whole.get("hookSpecificOutput");
		if (inner != null && !(inner instanceof Map<?, ?>)) {
			throw new InvalidJsonException("has a hookSpecificOutput that is not an object");
		}
		this.nested = (inner instanceof Map<?, ?> members) ? StrictJson.object(members) : Map.of();
		Object about = this.nested.get("hookEventName");
		if (about != null && !about.equals(event)
				&& !(event.equals("PostToolUse") && about.equals("PostToolUseFailure"))) {
			throw new InvalidJsonException("is about another event");
		}
	}

	/**
	 * The decision about a call.
	 * @throws InvalidJsonException if there is none
	 */
	static ToolDecision beforeCall(byte[] output, ToolCall call, boolean merge, boolean requireDecision) {
		return new CommandReply(json.readObject(output), "PreToolUse").beforeCall(call, merge, requireDecision);
	}

	/**
	 * The decision about a result.
	 * @throws InvalidJsonException if there is none
	 */
	static ToolDecision afterCall(byte[] output, ToolResult result, boolean requireDecision) {
		return new CommandReply(json.readObject(output), "PostToolUse").afterCall(result, requireDecision);
	}

	private ToolDecision beforeCall(ToolCall call, boolean merge, boolean requireDecision) {
		Answer answer = answer();
		Map<String, @Nullable Object> arguments = arguments(call, merge);
		if (answer == Answer.MODIFY && arguments == null) {
			throw new InvalidJsonException("modifies the call, but has no arguments");
		}
		if (requireDecision && answer == null && !endsTurn()) {
			throw new InvalidJsonException("has no decision");
		}
		if (endsTurn()) {
			return ToolDecision.abortTurn(orElse(text("stopReason"), reason()));
		}
		ToolDecision decision = ToolDecision.approve();
		if (answer == Answer.DENY || answer == Answer.BLOCK) {
			decision = ToolDecision.deny(reason());
		}
		else if (answer == Answer.ASK) {
			if (arguments != null && !arguments.equals(call.arguments())) {
				throw new InvalidJsonException("asks about a call and changes it, which cannot be done at once");
			}
			decision = ToolDecision.ask(reason());
		}
		else if (arguments != null) {
			decision = ToolDecision.modify(arguments);
		}
		String context = context();
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	/**
	 * Claude Code's {@code block} comes after the tool has run: the model gets to read
	 * why beside the result. Gemini CLI's {@code deny} takes the result away.
	 */
	private ToolDecision afterCall(ToolResult result, boolean requireDecision) {
		Answer answer = answer();
		if (requireDecision && answer == null && !endsTurn()) {
			throw new InvalidJsonException("has no decision");
		}
		if (endsTurn()) {
			return ToolDecision.abortTurn(orElse(text("stopReason"), reason()));
		}
		if (answer == Answer.ASK || answer == Answer.MODIFY) {
			throw new InvalidJsonException("has a decision that cannot be made about a result");
		}
		if (answer == Answer.DENY) {
			return ToolDecision.deny(reason());
		}
		Object output = first(OUTPUTS);
		ToolDecision decision = (output != null) ? ToolDecision
			.respond(new ToolResult(result.succeeded(), StrictJson.textOf(output), output, result.additionalContext()))
				: ToolDecision.approve();
		String context = context();
		if (answer == Answer.BLOCK) {
			context = (context != null) ? reason() + "\n" + context : reason();
		}
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	/**
	 * The strictest of all decisions, or {@code null} if there is none.
	 */
	private @Nullable Answer answer() {
		Answer strictest = null;
		for (Object value : all(DECISIONS)) {
			Answer answer = Answer.of(value);
			if (strictest == null || answer.compareTo(strictest) > 0) {
				strictest = answer;
			}
		}
		return strictest;
	}

	private boolean endsTurn() {
		boolean ends = false;
		for (Object value : all(List.of("continue", "continue_"))) {
			if (!(value instanceof Boolean goesOn)) {
				throw new InvalidJsonException("has a continue that is neither true nor false");
			}
			ends |= !goesOn;
		}
		return ends;
	}

	private String reason() {
		return REASONS.stream()
			.map(this::text)
			.filter((reason) -> reason != null && !reason.isBlank())
			.findFirst()
			.orElse("The command gave no reason");
	}

	private @Nullable String context() {
		List<String> contexts = CONTEXTS.stream().map(this::text).filter(Objects::nonNull).toList();
		return (contexts.isEmpty()) ? null : String.join("\n", contexts);
	}

	/**
	 * The arguments of the changed call, or {@code null} if it is not changed.
	 */
	private @Nullable Map<String, @Nullable Object> arguments(ToolCall call, boolean merge) {
		Object changed = first(ARGUMENTS);
		if (changed == null) {
			// Gemini CLI's. Outside of the nested object it would be what we sent.
			changed = this.nested.get("tool_input");
		}
		if (changed == null) {
			return null;
		}
		if (!(changed instanceof Map<?, ?> members)) {
			throw new InvalidJsonException("has changed arguments that are not an object");
		}
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>((merge) ? call.arguments() : Map.of());
		arguments.putAll(StrictJson.object(members));
		return arguments;
	}

	/**
	 * The value that has one of some names, or {@code null}. There may be several if they
	 * are the same.
	 */
	private @Nullable Object first(List<String> names) {
		List<Object> values = all(names);
		if (values.stream().distinct().count() > 1) {
			throw new InvalidJsonException("says two different things at once");
		}
		return (values.isEmpty()) ? null : values.get(0);
	}

	private List<Object> all(List<String> names) {
		List<Object> values = new ArrayList<>();
		for (Map<String, @Nullable Object> members : List.of(this.nested, this.whole)) {
			names.stream().map(members::get).filter(Objects::nonNull).forEach(values::add);
		}
		return values;
	}

	/**
	 * A text that may be missing, but may not be anything else.
	 */
	private @Nullable String text(String name) {
		Object value = (this.nested.get(name) != null) ? this.nested.get(name) : this.whole.get(name);
		if (value != null && !(value instanceof String)) {
			throw new InvalidJsonException("has a " + name + " that is not a string");
		}
		return (String) value;
	}

	private static String orElse(@Nullable String text, String other) {
		return (text == null || text.isBlank()) ? other : text;
	}

	/**
	 * What a command may decide, the strictest last.
	 */
	private enum Answer {

		ALLOW, MODIFY, ASK, BLOCK, DENY;

		/**
		 * Read an answer. Claude Code's {@code defer} waits for a person, as asking does.
		 */
		static Answer of(Object value) {
			if (value instanceof String text) {
				switch (text) {
					case "allow", "approve" -> {
						return ALLOW;
					}
					case "modify" -> {
						return MODIFY;
					}
					case "ask", "defer" -> {
						return ASK;
					}
					case "block" -> {
						return BLOCK;
					}
					case "deny" -> {
						return DENY;
					}
					default -> {
					}
				}
			}
			throw new InvalidJsonException("has a decision that is none of allow, approve, ask, block and deny");
		}

	}

}
