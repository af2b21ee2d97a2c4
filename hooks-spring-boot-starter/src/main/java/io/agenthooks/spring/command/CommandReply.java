package io.agenthooks.spring.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

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

	/** What decides with true or false, and what it decides if it is true. */
	private static final Map<String, Answer> IF_TRUE = Map.ofEntries(Map.entry("allow", Answer.ALLOW),
			Map.entry("allowed", Answer.ALLOW), Map.entry("approve", Answer.ALLOW), Map.entry("approved", Answer.ALLOW),
			Map.entry("ok", Answer.ALLOW), Map.entry("review", Answer.ASK), Map.entry("block", Answer.BLOCK),
			Map.entry("blocked", Answer.BLOCK), Map.entry("deny", Answer.DENY), Map.entry("denied", Answer.DENY),
			Map.entry("cancel", Answer.DENY));

	private static final List<String> FLAGS = List.copyOf(IF_TRUE.keySet());

	/** What decides in some systems, and may say something else in others. */
	private static final List<String> MAY_DENY = List.of(ACTION, "result", "status", "outcome");

	private static final List<String> REASONS = List.of("permissionDecisionReason", "reason", "reasoning",
			"agent_message", "agentMessage", "user_message", "userMessage", "blockReason", "errorMessage", "message",
			"systemMessage", "context");

	private static final List<String> ARGUMENTS = List.of("updatedInput", "modified_input", "updated_input",
			"modifiedArgs", "modified_arguments", "overrideInput");

	private static final List<String> CONTINUES = List.of("continue", "continue_");

	private static final List<String> CONTEXTS = List.of("additionalContext", "additional_context",
			"contextModification");

	private static final List<String> OUTPUTS = List.of("updatedToolOutput", "updatedMCPToolOutput", "modifiedResult");

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
	 * A denial within a text that is not JSON.
	 */
	private static final Pattern OBJECTION = Pattern.compile(
			"\"(permission)?_?decision\"\\s*:\\s*\"(deny|block)|\"continue_?\"\\s*:\\s*false",
			Pattern.CASE_INSENSITIVE);

	private static final List<String> EVENTS_BEFORE = List.of("PreToolUse", "PermissionRequest", "preToolUse",
			"BeforeTool", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile");

	private static final List<String> EVENTS_AFTER = List.of("PostToolUse", "PostToolUseFailure", "postToolUse",
			"AfterTool");

	/** What we send, in case that it comes back. */
	private static final String SENT = "hook_event_name";

	/** The names that decide, as they are written, and in small letters only. */
	private static final Set<String> KNOWN = Stream
		.of(DECISIONS, List.of(ACTION), FLAGS, CONTINUES, ARGUMENTS, OUTPUTS,
				List.of(NESTED, "hookEventName", SENT, "llm_request", "llm_response"))
		.flatMap(List::stream)
		.collect(Collectors.toUnmodifiableSet());

	private static final Set<String> KNOWN_PLAINLY = plainly(KNOWN);

	private static final Set<String> DECISIONS_PLAINLY = plainly(
			Stream.concat(DECISIONS.stream(), MAY_DENY.stream()).toList());

	private static final Set<String> CONTINUES_PLAINLY = plainly(CONTINUES);

	private static final Set<String> OBJECTS_PLAINLY = plainly(List.of(NESTED, DECISION));

	/** The nested object, which may be empty, and the whole. */
	private final Map<String, @Nullable Object> nested;

	private final Map<String, @Nullable Object> whole;

	private CommandReply(Map<String, @Nullable Object> whole) {
		this.whole = whole;
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
			return new CommandReply(json.readObject(output)).statedReason(REASONS.stream());
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
		return new CommandReply(json.readObject(output));
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
		return new CommandReply(json.readObject(output)).beforeCall(call, merge, requireDecision);
	}

	/**
	 * The decision about a result.
	 * @throws InvalidJsonException if there is none
	 */
	static ToolDecision afterCall(byte[] output, ToolResult result, boolean requireDecision) {
		return new CommandReply(json.readObject(output)).afterCall(result, requireDecision);
	}

	private ToolDecision beforeCall(ToolCall call, boolean merge, boolean requireDecision) {
		ToolDecision objection = objection(Answer.BLOCK);
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
		ToolDecision objection = objection(Answer.DENY);
		if (objection != null) {
			return objection;
		}
		check(EVENTS_AFTER);
		Answer answer = answer();
		if (requireDecision && answer == null) {
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
		if (answer == Answer.BLOCK) {
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
	private @Nullable ToolDecision objection(Answer least) {
		if (ends()) {
			return ToolDecision.abortTurn(reasonOfEnd());
		}
		return (denies(least)) ? withContext(ToolDecision.deny(reason())) : null;
	}

	/**
	 * Whether the reply wants the agent to stop.
	 */
	boolean ends() {
		return withInner(this.whole).stream().anyMatch(CommandReply::stops);
	}

	String reasonOfEnd() {
		return reason(Stream.concat(Stream.of("stopReason"), REASONS.stream()));
	}

	/**
	 * Whether the reply is against what it is about, however that is spelled.
	 */
	boolean denies() {
		return denies(Answer.BLOCK);
	}

	private boolean denies(Answer least) {
		return withInner(this.whole).stream()
			.flatMap((members) -> members.entrySet().stream())
			.map((member) -> denial(member.getKey(), member.getValue()))
			.anyMatch((answer) -> answer != null && answer.compareTo(least) >= 0);
	}

	/**
	 * An object, and those in it that decide.
	 */
	private static List<Map<String, @Nullable Object>> withInner(Map<String, @Nullable Object> members) {
		List<Map<String, @Nullable Object>> found = new ArrayList<>(List.of(members));
		members.forEach((name, value) -> {
			if (value instanceof Map<?, ?> inner && OBJECTS_PLAINLY.contains(plainly(name))) {
				found.addAll(withInner(StrictJson.object(inner)));
			}
		});
		return found;
	}

	private static boolean stops(Map<String, @Nullable Object> members) {
		return members.entrySet()
			.stream()
			.anyMatch((member) -> CONTINUES_PLAINLY.contains(plainly(member.getKey()))
					&& Boolean.FALSE.equals(member.getValue()));
	}

	/**
	 * How a member denies, or {@code null} if it does not.
	 */
	private static @Nullable Answer denial(String name, @Nullable Object value) {
		String plainName = plainly(name);
		if (value instanceof String text && DECISIONS_PLAINLY.contains(plainName)) {
			return Answer.DENIALS.get(plainly(text));
		}
		Answer ifTrue = IF_TRUE.get(plainName);
		if (Boolean.TRUE.equals(value)) {
			return ifTrue;
		}
		return (ifTrue == Answer.ALLOW && Boolean.FALSE.equals(value)) ? Answer.DENY : null;
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
			.anyMatch((name) -> !KNOWN.contains(name) && KNOWN_PLAINLY.contains(plainly(name)))) {
			throw new InvalidJsonException("has a member that is spelled otherwise than it should be");
		}
	}

	private static String plainly(String name) {
		return name.replaceAll("[_\\-\\s]", "").toLowerCase(Locale.ROOT);
	}

	private static Set<String> plainly(Collection<String> names) {
		return names.stream().map(CommandReply::plainly).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * The strictest of all decisions, or {@code null} if there is none.
	 */
	private @Nullable Answer answer() {
		return Stream
			.of(all(DECISIONS).stream().map(Answer::of), all(List.of(ACTION)).stream().map(Answer::ofAction),
					FLAGS.stream()
						.filter((name) -> all(List.of(name)).contains(true))
						.map((name) -> Objects.requireNonNull(IF_TRUE.get(name))))
			.flatMap(Function.identity())
			.max(Comparator.naturalOrder())
			.orElse(null);
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
	 * What a command may decide, the strictest last.
	 */
	private enum Answer {

		ALLOW, MODIFY, ASK, BLOCK, DENY;

		/** The words that deny. Amp's says that the turn goes on. */
		private static final Map<String, Answer> DENIALS = Map.ofEntries(Map.entry("block", BLOCK),
				Map.entry("blocked", BLOCK), Map.entry("deny", DENY), Map.entry("denied", DENY),
				Map.entry("reject", DENY), Map.entry("rejected", DENY), Map.entry("rejectandcontinue", DENY),
				Map.entry("disallow", DENY), Map.entry("forbid", DENY), Map.entry("forbidden", DENY),
				Map.entry("refuse", DENY), Map.entry("cancel", DENY), Map.entry("abort", DENY));

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

		static Answer ofAction(Object value) {
			return ("continue".equals(value)) ? ALLOW : of(value);
		}

	}

}
