package io.agenthooks.spring.dialect;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.agenthooks.spring.external.Objection;

/** As Claude Code and its relatives write them. */
final class ReplyNames {

	static final String NESTED = "hookSpecificOutput";

	static final String DECISION = "decision";

	static final List<String> DECISIONS = List.of("permissionDecision", DECISION, "permission", "verdict", "behavior");

	static final String ACTION = "action";

	static final List<String> ALLOWS = List.of("allow", "allowed", "approve", "approved", "permit", "permitted", "ok",
			"allowTool");

	/** The member that asks if it is true. OpenClaw's may also be an object. */
	static final String REVIEW = "review";

	static final String APPROVAL = "requireApproval";

	static final List<String> FLAGS = Stream
		.of(ALLOWS.stream(),
				Stream.of("block", "blocked", "deny", "denied", "reject", "rejected", "cancel", "abort", "halt"),
				Stream.of(REVIEW))
		.flatMap(Function.identity())
		.toList();

	static final List<String> REASONS = List.of("permissionDecisionReason", "reason", "reasoning", "agent_message",
			"agentMessage", "user_message", "userMessage", "blockReason", "denyReason", "errorMessage", "message",
			"systemMessage", "context", "description", "title");

	static final List<String> ARGUMENTS = List.of("updatedInput", "modified_input", "updated_input", "modifiedArgs",
			"modified_arguments", "overrideInput", "params", "args");

	/** Antigravity's arguments, which are put over those of the call. */
	static final String OVERWRITE = "overwrite";

	/**
	 * Gemini CLI's arguments, put over those of the call if nested; else what was sent,
	 * or Hermes' if the reply modifies.
	 */
	static final String INPUT = "tool_input";

	/** Names that must be meant to change arguments, whatever the system. */
	private static final Pattern LIKE_ARGUMENTS = Pattern
		.compile("(updated|modified|override|overridden|replaced|changed|new)(tool)?(input|args|arguments|params)");

	static final List<String> CONTINUES = List.of("continue", "continue_");

	static final List<String> CONTEXTS = List.of("additionalContext", "additional_context", "contextModification");

	static final List<String> OUTPUTS = List.of("updatedToolOutput", "updatedMCPToolOutput", "updated_mcp_tool_output",
			"modifiedResult");

	/** Gemini CLI's call of another tool, whose result is to stand for this one. */
	static final String TAIL_CALL = "tailToolCallRequest";

	/** The end of the turn if it stands beside a denial, in Claude Code and Copilot. */
	static final String INTERRUPT = "interrupt";

	/** Copilot SDK's envelope. */
	static final String OUTPUT = "output";

	/** Changes of a prompt or the answer to it, which a tool call does not have. */
	static final List<String> PROMPTS = List.of("modified_messages", "llm_request", "llm_response", "updatedPrompt",
			"updated_prompt", "modifiedPrompt", "modified_prompt");

	/**
	 * Most cannot be made around a model call or a run. Not reading them must not go
	 * unnoticed: they may be meant to take a secret out.
	 */
	static final List<String> CHANGES = Stream
		.of(ARGUMENTS, OUTPUTS, PROMPTS, List.of(INPUT, OVERWRITE, TAIL_CALL, "messages", "content"))
		.flatMap(List::stream)
		.toList();

	/** A denial within a text that is not valid JSON, or that is nothing else. */
	private static final Pattern OBJECTION = Pattern.compile(
			"\"(permission|(permission_?)?decision|verdict|behavior|action)\"\\s*:\\s*\"\\s*(deny|denied|block|reject)"
					+ "|\"continue_?\"\\s*:\\s*false|\\A\\W*+(deny|denied|block|blocked|reject|rejected)\\W*\\z",
			Pattern.CASE_INSENSITIVE);

	static final String EVENT = "hookEventName";

	/** Members that we send, in case that they come back. */
	private static final String SENT = "hook_event_name";

	/** The names that decide, as they are written, and in small letters only. */
	private static final Set<String> KNOWN = Stream
		.of(DECISIONS, List.of(ACTION, APPROVAL), FLAGS, ALLOWS, CONTINUES, ARGUMENTS, OUTPUTS,
				List.of(OVERWRITE, TAIL_CALL, NESTED, EVENT, SENT, "llm_request", "llm_response"))
		.flatMap(List::stream)
		.collect(Collectors.toUnmodifiableSet());

	private static final Set<String> KNOWN_NORMALIZED = KNOWN.stream()
		.map(Objection::normalize)
		.collect(Collectors.toUnmodifiableSet());

	/**
	 * They change nothing here: explanations, those for other events, and those that were
	 * sent, in case that they come back.
	 */
	private static final Set<String> HARMLESS = Set.of("stopReason", "suppressOutput", "terminalSequence",
			"updatedPermissions", "permissionOverrides", "permission_suggestions", INTERRUPT, "classifierContext",
			"retry", "impossible", "async", "asyncTimeout", "sessionTitle", "initialUserMessage", "watchPaths",
			"reloadSkills", "displayContent", "worktreePath", "env", "pluginPaths", "followup_message", "clearContext",
			"toolConfig", "injectSteps", "terminationBehavior", "metaToUse", "modifiedResponse",
			"modifiedTransformedPrompt", "pluginId", "severity", "result", OUTPUT, "response", "status", "outcome",
			"code", "call_id", "scope", "warnings", "evidence", "result_labels", "approval", "effects", "error",
			"protocolVersion", "version", "type", "id", "name", "timestamp", "duration_ms", "run_id", "prompt");

	private ReplyNames() {
	}

	static boolean isMisspelled(String name) {
		String plainName = Objection.normalize(name);
		return !KNOWN.contains(name)
				&& (KNOWN_NORMALIZED.contains(plainName) || LIKE_ARGUMENTS.matcher(plainName).matches());
	}

	static boolean decides(String name) {
		return KNOWN.contains(name) && !name.equals(SENT) && !name.equals(EVENT);
	}

	static Set<String> deciding() {
		return KNOWN;
	}

	/** One that no system has may be meant to restrict the decision. */
	static boolean isKnown(String name) {
		return KNOWN.contains(name) || HARMLESS.contains(name) || REASONS.contains(name) || CONTEXTS.contains(name)
				|| CHANGES.contains(name) || CallMessage.isSent(name);
	}

	/** Such as behind lines that some start-up file wrote. */
	static boolean objects(String text) {
		return OBJECTION.matcher(text).find();
	}

}
