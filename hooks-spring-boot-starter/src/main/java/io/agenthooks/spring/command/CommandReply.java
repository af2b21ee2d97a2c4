package io.agenthooks.spring.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * What a command wrote, as JSON. Claude Code's {@code hookSpecificOutput} is read before
 * what stands beside it, which is spelled as in Claude Code, AgentPool, Cursor, Copilot,
 * Gemini CLI, PulseBot, Cline, Hermes, Amp or OpenClaw. If it says several things, the
 * strictest holds: what ends the turn, before what denies, before what asks, before what
 * allows. A denial is understood however it is spelled. Otherwise what is spelled in
 * another way is a mistake, and members that nobody knows are left alone.
 */
final class CommandReply {

	static final String NO_REASON = "The command gave no reason";

	/** Arguments may stand in an object within the reply. */
	private static final StrictJson json = new StrictJson(3);

	private static final String NESTED = "hookSpecificOutput";

	private static final String DECISION = "decision";

	private static final List<String> DECISIONS = List.of("permissionDecision", DECISION, "permission", "verdict",
			"behavior");

	private static final String ACTION = "action";

	/** What allows if it is true. */
	private static final List<String> ALLOWS = List.of("allow", "allowed", "approve", "approved", "permit", "permitted",
			"ok");

	/** What asks if it is true. OpenClaw's may also be an object. */
	private static final String REVIEW = "review";

	private static final String APPROVAL = "requireApproval";

	/** What is true or false. */
	private static final List<String> FLAGS = Stream
		.of(ALLOWS.stream(),
				Stream.of("block", "blocked", "deny", "denied", "reject", "rejected", "cancel", "abort", "halt"),
				Stream.of(REVIEW))
		.flatMap(Function.identity())
		.toList();

	private static final List<String> REASONS = List.of("permissionDecisionReason", "reason", "reasoning",
			"agent_message", "agentMessage", "user_message", "userMessage", "blockReason", "errorMessage", "message",
			"systemMessage", "context", "description", "title");

	private static final List<String> ARGUMENTS = List.of("updatedInput", "modified_input", "updated_input",
			"modifiedArgs", "modified_arguments", "overrideInput", "params");

	/** What must be meant to change arguments, whatever the system. */
	private static final Pattern LIKE_ARGUMENTS = Pattern
		.compile("(updated|modified|override|overridden|replaced|changed|new)(tool)?(input|args|arguments|params)");

	private static final List<String> CONTINUES = List.of("continue", "continue_");

	private static final List<String> CONTEXTS = List.of("additionalContext", "additional_context",
			"contextModification");

	private static final List<String> OUTPUTS = List.of("updatedToolOutput", "updatedMCPToolOutput",
			"updated_mcp_tool_output", "modifiedResult");

	/**
	 * What changes something, in this system or that, and most of which cannot do so
	 * around a model call or a run. There nobody would read it, which must not go
	 * unnoticed: it may be meant to take a secret out.
	 */
	private static final List<String> CHANGES = Stream.concat(Stream.of(ARGUMENTS, OUTPUTS).flatMap(List::stream),
			Stream.of("tool_input", "messages", "modified_messages", "content", "llm_request", "llm_response",
					"updatedPrompt", "updated_prompt", "modifiedPrompt", "modified_prompt"))
		.toList();

	/**
	 * A denial within a text that is not valid JSON.
	 */
	private static final Pattern OBJECTION = Pattern.compile(
			"\"(permission|(permission_?)?decision|verdict|behavior|action)\"\\s*:\\s*\"\\s*(deny|denied|block|reject)"
					+ "|\"continue_?\"\\s*:\\s*false",
			Pattern.CASE_INSENSITIVE);

	private static final List<String> EVENTS_BEFORE = List.of("PreToolUse", "PermissionRequest", "preToolUse",
			"BeforeTool", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile");

	private static final List<String> EVENTS_AFTER = List.of("PostToolUse", "PostToolUseFailure", "postToolUse",
			"AfterTool");

	/** What we send, in case that it comes back. */
	private static final String SENT = "hook_event_name";

	/** The names that decide, as they are written, and in small letters only. */
	private static final Set<String> KNOWN = Stream
		.of(DECISIONS, List.of(ACTION, APPROVAL), FLAGS, CONTINUES, ARGUMENTS, OUTPUTS,
				List.of(NESTED, "hookEventName", SENT, "llm_request", "llm_response"))
		.flatMap(List::stream)
		.collect(Collectors.toUnmodifiableSet());

	private static final Set<String> KNOWN_PLAINLY = KNOWN.stream()
		.map(Objection::plainly)
		.collect(Collectors.toUnmodifiableSet());

	/** As some shells write it before JSON. */
	private static final byte[] BYTE_ORDER_MARK = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF };

	/** The nested object, which may be empty, and the whole. */
	private final Map<String, @Nullable Object> nested;

	private final Map<String, @Nullable Object> whole;

	private final Objection objection;

	private CommandReply(Map<String, @Nullable Object> whole) {
		this.whole = whole;
		this.objection = Objection.of(whole);
		this.nested = (whole.get(NESTED) instanceof Map<?, ?> members) ? opened(StrictJson.object(members)) : Map.of();
	}

	/**
	 * The nested object as if its decision were no object of its own, which it is in the
	 * answer to Claude Code's permission requests.
	 */
	private static Map<String, @Nullable Object> opened(Map<String, @Nullable Object> nested) {
		if (nested.get(DECISION) instanceof Map<?, ?> decision
				&& nested.keySet().stream().noneMatch(decision::containsKey)) {
			nested.remove(DECISION);
			nested.putAll(StrictJson.object(decision));
		}
		return nested;
	}

	/**
	 * What a command that has denied by its exit code says about that, or {@code null}.
	 */
	static @Nullable String reasonOf(byte[] output) {
		try {
			return of(output).statedReason(REASONS.stream());
		}
		catch (InvalidJsonException ex) {
			return null;
		}
	}

	/**
	 * Read an output about anything.
	 * @throws InvalidJsonException if it is not an object
	 */
	static CommandReply of(byte[] output) {
		return new CommandReply(json.readObject(withoutMark(output)));
	}

	private static byte[] withoutMark(byte[] output) {
		int length = BYTE_ORDER_MARK.length;
		return (output.length > length && Arrays.equals(output, 0, length, BYTE_ORDER_MARK, 0, length))
				? Arrays.copyOfRange(output, length, output.length) : output;
	}

	/**
	 * Whether a text that is not the JSON that it should be has an objection in it, such
	 * as behind lines that some start-up file wrote.
	 */
	static boolean objects(String text) {
		return OBJECTION.matcher(text).find();
	}

	/**
	 * The decision about a call.
	 * @throws InvalidJsonException if there is none
	 */
	static ToolDecision beforeCall(byte[] output, ToolCall call, boolean merge, boolean requireDecision) {
		return of(output).beforeCall(call, merge, requireDecision);
	}

	/**
	 * The decision about a result.
	 * @throws InvalidJsonException if there is none
	 */
	static ToolDecision afterCall(byte[] output, ToolResult result, boolean requireDecision) {
		return of(output).afterCall(result, requireDecision);
	}

	private ToolDecision beforeCall(ToolCall call, boolean merge, boolean requireDecision) {
		ToolDecision objection = objection(Objection.BLOCKS);
		if (objection != null) {
			return objection;
		}
		check(EVENTS_BEFORE);
		Answer answer = answer();
		Map<String, @Nullable Object> arguments = arguments(call, merge);
		if (answer == Answer.MODIFY && arguments == null) {
			throw new InvalidJsonException("modifies the call, but has no arguments");
		}
		if (requireDecision && answer == null) {
			throw new InvalidJsonException("has no decision");
		}
		ToolDecision decision = ToolDecision.approve();
		if (answer == Answer.ASK) {
			if (arguments != null && !arguments.equals(call.arguments())) {
				throw new InvalidJsonException("asks about a call and changes it, which cannot be done at once");
			}
			decision = ToolDecision.ask(reason());
		}
		else if (arguments != null) {
			decision = ToolDecision.modify(arguments);
		}
		return withContext(decision);
	}

	/**
	 * Claude Code's {@code block} comes after the tool has run: the model gets to read
	 * why beside the result. Gemini CLI's {@code deny} takes the result away.
	 */
	private ToolDecision afterCall(ToolResult result, boolean requireDecision) {
		ToolDecision objection = objection(Objection.DENIES);
		if (objection != null) {
			return objection;
		}
		check(EVENTS_AFTER);
		Answer answer = answer();
		if (requireDecision && answer == null && this.objection == Objection.NONE) {
			throw new InvalidJsonException("has no decision");
		}
		if (answer == Answer.ASK || answer == Answer.MODIFY) {
			throw new InvalidJsonException("has a decision that cannot be made about a result");
		}
		Object output = first(OUTPUTS);
		ToolDecision decision = (output != null) ? ToolDecision
			.respond(new ToolResult(result.succeeded(), StrictJson.textOf(output), output, result.additionalContext()))
				: ToolDecision.approve();
		String context = context();
		if (this.objection == Objection.BLOCKS) {
			context = (context != null) ? reason() + "\n" + context : reason();
		}
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	/**
	 * What the reply is surely against, or {@code null}. That holds whatever else is
	 * wrong with it, its spelling included: a broken reason is none for {@code fail_open}
	 * to let the call pass.
	 * @param least the mildest answer that objects
	 */
	private @Nullable ToolDecision objection(Objection least) {
		if (ends()) {
			return ToolDecision.abortTurn(reasonOfEnd());
		}
		return (this.objection.compareTo(least) >= 0) ? withContext(ToolDecision.deny(reason())) : null;
	}

	/**
	 * Whether the reply wants the agent to stop.
	 */
	boolean ends() {
		return this.objection.compareTo(Objection.ENDS_TURN) >= 0;
	}

	String reasonOfEnd() {
		return reason(Stream.concat(Stream.of("stopReason"), REASONS.stream()));
	}

	/**
	 * Whether the reply is against what it is about, however that is spelled.
	 */
	boolean denies() {
		return this.objection != Objection.NONE;
	}

	/**
	 * An object, and those in it that decide.
	 */
	private static List<Map<String, @Nullable Object>> withInner(Map<String, @Nullable Object> members) {
		List<Map<String, @Nullable Object>> found = new ArrayList<>(List.of(members));
		members.forEach((name, value) -> {
			if (value instanceof Map<?, ?> inner && (Objection.mayHold(name) || name.equals(APPROVAL))) {
				found.addAll(withInner(StrictJson.object(inner)));
			}
		});
		return found;
	}

	/**
	 * What the reply decides about something that has no arguments and about which nobody
	 * can be asked.
	 * @param events what the reply may be about
	 * @param noun what it is about, for messages
	 * @param changeable what it may change nevertheless
	 * @return whether it decides at all; then it does not object
	 */
	boolean allows(List<String> events, String noun, String... changeable) {
		check(events);
		Answer answer = answer();
		if (answer == Answer.ASK || answer == Answer.MODIFY) {
			throw new InvalidJsonException("has a decision that cannot be made about a " + noun);
		}
		if (!all(CHANGES.stream().filter((name) -> !List.of(changeable).contains(name)).toList()).isEmpty()) {
			throw new InvalidJsonException("has a change that cannot be made to a " + noun);
		}
		return answer != null;
	}

	/**
	 * An object that must stand within {@code hookSpecificOutput}. Beside it nobody reads
	 * it, which must not go unnoticed: it may be meant to take a secret out.
	 */
	@Nullable Map<String, @Nullable Object> nested(String name) {
		Object value = this.nested.get(name);
		if (value == null) {
			if (this.whole.get(name) != null) {
				throw new InvalidJsonException("has an " + name + " that is not in hookSpecificOutput");
			}
			return null;
		}
		if (!(value instanceof Map<?, ?> members)) {
			throw new InvalidJsonException("has an " + name + " that is not an object");
		}
		return StrictJson.object(members);
	}

	/**
	 * Check what does not object. A name that is spelled almost like one that would
	 * decide is a mistake, too: otherwise nobody notices that it does not.
	 */
	private void check(List<String> events) {
		Object inner = this.whole.get(NESTED);
		if (inner != null && !(inner instanceof Map<?, ?>)) {
			throw new InvalidJsonException("has a hookSpecificOutput that is not an object");
		}
		Object about = this.nested.get("hookEventName");
		if (about != null && !events.contains(about)) {
			throw new InvalidJsonException("has another hookEventName than " + events.get(0));
		}
		if (!all(CONTINUES).stream().allMatch(Boolean.class::isInstance)) {
			throw new InvalidJsonException("has a continue that is neither true nor false");
		}
		if (!all(FLAGS).stream().allMatch(Boolean.class::isInstance)) {
			throw new InvalidJsonException("has a decision that is neither true nor false");
		}
		if (!all(CONTEXTS).stream().allMatch(String.class::isInstance)) {
			throw new InvalidJsonException("has an additionalContext that is not a string");
		}
		if (Stream.of(this.nested, this.whole)
			.flatMap((members) -> members.keySet().stream())
			.anyMatch((name) -> !KNOWN.contains(name) && mayBeKnown(Objection.plainly(name)))) {
			throw new InvalidJsonException("has a member that is spelled otherwise than it should be");
		}
	}

	private static boolean mayBeKnown(String plainName) {
		return KNOWN_PLAINLY.contains(plainName) || LIKE_ARGUMENTS.matcher(plainName).matches();
	}

	/**
	 * The strictest of all decisions that do not object, or {@code null} if there is
	 * none.
	 */
	private @Nullable Answer answer() {
		return Stream
			.of(answers(DECISIONS, Answer::of), answers(List.of(ACTION), Answer::ofAction),
					answers(ALLOWS, (value) -> Boolean.TRUE.equals(value) ? Answer.ALLOW : null),
					answers(List.of(REVIEW, APPROVAL), (value) -> Boolean.FALSE.equals(value) ? null : Answer.ASK))
			.flatMap(Function.identity())
			.max(Comparator.naturalOrder())
			.orElse(null);
	}

	private Stream<Answer> answers(List<String> names, Function<Object, @Nullable Answer> reading) {
		return names.stream()
			.flatMap((name) -> all(List.of(name)).stream()
				.filter((value) -> Objection.of(name, value) == Objection.NONE)
				.map(reading))
			.filter(Objects::nonNull);
	}

	String reason() {
		return reason(REASONS.stream());
	}

	private String reason(Stream<String> names) {
		String reason = statedReason(names);
		return (reason != null) ? reason : NO_REASON;
	}

	private @Nullable String statedReason(Stream<String> names) {
		return names.map(this::text).filter((reason) -> reason != null && !reason.isBlank()).findFirst().orElse(null);
	}

	private ToolDecision withContext(ToolDecision decision) {
		String context = context();
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	@Nullable String context() {
		List<String> contexts = CONTEXTS.stream()
			.map(this::text)
			.filter((context) -> context != null && !context.isBlank())
			.toList();
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
	 * A text, or {@code null} if there is none.
	 */
	private @Nullable String text(String name) {
		List<Map<String, @Nullable Object>> innermostFirst = withInner(this.whole);
		Collections.reverse(innermostFirst);
		return innermostFirst.stream()
			.map((members) -> members.get(name))
			.filter(String.class::isInstance)
			.map(String.class::cast)
			.findFirst()
			.orElse(null);
	}

	/**
	 * What a command may decide that is no objection, the strictest last.
	 */
	private enum Answer {

		ALLOW, MODIFY, ASK;

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
					default -> {
					}
				}
			}
			throw new InvalidJsonException("has a decision that is none of allow, approve, ask, block and deny");
		}

		static Answer ofAction(Object value) {
			return ("continue".equals(value)) ? ALLOW : of(value);
		}

	}

}
