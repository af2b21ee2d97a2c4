package io.agenthooks.spring.command;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.agenthooks.spring.external.Objection;

/**
 * The names of members that decide in the replies of commands, as Claude Code, AgentPool,
 * Cursor, Copilot, Gemini CLI, PulseBot, Cline, Hermes, Amp and OpenClaw write them.
 */
final class ReplyNames {

	static final String NESTED = "hookSpecificOutput";

	static final String DECISION = "decision";

	static final List<String> DECISIONS = List.of("permissionDecision", DECISION, "permission", "verdict", "behavior");

	static final String ACTION = "action";

	/** What allows if it is true. */
	static final List<String> ALLOWS = List.of("allow", "allowed", "approve", "approved", "permit", "permitted", "ok");

	/** What asks if it is true. OpenClaw's may also be an object. */
	static final String REVIEW = "review";

	static final String APPROVAL = "requireApproval";

	/** What is true or false. */
	static final List<String> FLAGS = Stream
		.of(ALLOWS.stream(),
				Stream.of("block", "blocked", "deny", "denied", "reject", "rejected", "cancel", "abort", "halt"),
				Stream.of(REVIEW))
		.flatMap(Function.identity())
		.toList();

	static final List<String> REASONS = List.of("permissionDecisionReason", "reason", "reasoning", "agent_message",
			"agentMessage", "user_message", "userMessage", "blockReason", "errorMessage", "message", "systemMessage",
			"context", "description", "title");

	static final List<String> ARGUMENTS = List.of("updatedInput", "modified_input", "updated_input", "modifiedArgs",
			"modified_arguments", "overrideInput", "params");

	/** What must be meant to change arguments, whatever the system. */
	private static final Pattern LIKE_ARGUMENTS = Pattern
		.compile("(updated|modified|override|overridden|replaced|changed|new)(tool)?(input|args|arguments|params)");

	static final List<String> CONTINUES = List.of("continue", "continue_");

	static final List<String> CONTEXTS = List.of("additionalContext", "additional_context", "contextModification");

	static final List<String> OUTPUTS = List.of("updatedToolOutput", "updatedMCPToolOutput", "updated_mcp_tool_output",
			"modifiedResult");

	/**
	 * What changes something, in this system or that, and most of which cannot do so
	 * around a model call or a run. There it is not read, which must not go unnoticed: it
	 * may be meant to take a secret out.
	 */
	static final List<String> CHANGES = Stream.concat(Stream.of(ARGUMENTS, OUTPUTS).flatMap(List::stream),
			Stream.of("tool_input", "messages", "modified_messages", "content", "llm_request", "llm_response",
					"updatedPrompt", "updated_prompt", "modifiedPrompt", "modified_prompt"))
		.toList();

	/**
	 * A denial within a text that is not valid JSON, or that is nothing else.
	 */
	private static final Pattern OBJECTION = Pattern.compile(
			"\"(permission|(permission_?)?decision|verdict|behavior|action)\"\\s*:\\s*\"\\s*(deny|denied|block|reject)"
					+ "|\"continue_?\"\\s*:\\s*false|\\A\\W*+(deny|denied|block|blocked|reject|rejected)\\W*\\z",
			Pattern.CASE_INSENSITIVE);

	/** What we send, in case that it comes back. */
	private static final String SENT = "hook_event_name";

	/** The names that decide, as they are written, and in small letters only. */
	private static final Set<String> KNOWN = Stream
		.of(DECISIONS, List.of(ACTION, APPROVAL), FLAGS, CONTINUES, ARGUMENTS, OUTPUTS,
				List.of(NESTED, "hookEventName", SENT, "llm_request", "llm_response"))
		.flatMap(List::stream)
		.collect(Collectors.toUnmodifiableSet());

	private static final Set<String> KNOWN_NORMALIZED = KNOWN.stream()
		.map(Objection::normalize)
		.collect(Collectors.toUnmodifiableSet());

	private ReplyNames() {
	}

	/**
	 * Whether a name is spelled almost like one that decides.
	 */
	static boolean isMisspelled(String name) {
		String plainName = Objection.normalize(name);
		return !KNOWN.contains(name)
				&& (KNOWN_NORMALIZED.contains(plainName) || LIKE_ARGUMENTS.matcher(plainName).matches());
	}

	/**
	 * Whether a text that is not the JSON that it should be has an objection in it, such
	 * as behind lines that some start-up file wrote.
	 */
	static boolean objects(String text) {
		return OBJECTION.matcher(text).find();
	}

}
