package io.agenthooks.spring.dialect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * The message about a call of a tool, as one JSON object. One that is for no system has
 * the names of all the systems at once whose hooks are run: a hook that finds nothing
 * under the name that it knows would let everything pass. A tool of an MCP server has the
 * name that it has in Claude Code, {@code mcp__server__name}: one that no other server
 * can take away.
 *
 * @since 0.1.0
 */
public final class CallMessage {

	/** This is Windsurf's alone, so there is no other that it could be taken for. */
	private static final String COMMAND_LINE = "command_line";

	/** Members that stand nowhere else under this name. */
	private static final Set<String> SHOWN_TO_WINDSURF = Set.of(COMMAND_LINE, "mcp_tool_name");

	private static final Set<String> NAMES = Set.of("session_id", "conversation_id", "transcript_path", "cwd",
			"permission_mode", "hook_event_name", "event", "agent_name", "tool_name", "tool_input", "tool_use_id",
			"tool_call", "toolName", "toolArgs", "toolInput", "workspace_roots", "agent_action_name", "tool_info",
			"hookName", "preToolUse", "tool_response", "tool_output", "error", "duration_ms", "authorities", "claims",
			"toolCall", "conversationId", "sessionId", "taskId", "workspacePaths", "workspaceRoots", "transcriptPath",
			"hookEventName", "timestamp", "trajectory_id", "execution_id", "mcp_context", "mcp_server_name",
			"postToolUse", "toolResult", "tool_result", "error_message");

	private static final Set<String> OF_SYSTEMS = Set.of("mcp_tool_name", "mcp_tool_arguments", "duration",
			"failure_type", "is_interrupt", "result_json", "output", "prompt_id", "agent_id", "agent_type", "turn_id",
			"model", "tool_call_id", "clineVersion", "userId", "iteration", "generation_id", "model_id", "model_params",
			"cursor_version", "user_email", "agent_message", "sandbox", "profile", "extra", "artifactDirectoryPath",
			"modelName", "stepIdx");

	private CallMessage() {
	}

	static boolean isSent(String name) {
		return NAMES.contains(name);
	}

	/**
	 * A value of the agent must not look like a member of the whole to who searches the
	 * text.
	 */
	static boolean isHidden(String name) {
		return NAMES.contains(name) || OF_SYSTEMS.contains(name);
	}

	/**
	 * The question whether a call may happen.
	 * @param system whose message it is, or {@code null} for that of all
	 * @param call the call
	 * @param dir where the decider runs
	 * @param sent what is sent of the user
	 * @return the message
	 */
	public static byte[] preCall(@Nullable HookSystem system, ToolCall call, String dir, SentUser sent) {
		return (system != null) ? SystemMessage.write(system, call, null, dir, sent)
				: line(describe("PreToolUse", "pre_tool_use", call, dir, sent), call);
	}

	/**
	 * The result of a call.
	 * @param system whose message it is, or {@code null} for that of all
	 * @param call the call
	 * @param result its result
	 * @param nanos how long it took
	 * @param dir where the decider runs
	 * @param sent what is sent of the user
	 * @return the message
	 */
	public static byte[] result(@Nullable HookSystem system, ToolCall call, ToolResult result, long nanos, String dir,
			SentUser sent) {
		if (system == null) {
			return result(call, result, nanos, dir, sent);
		}
		SystemMessage.Ended ended = new SystemMessage.Ended(CallParts.valueOf(result.value(), result.content()),
				result.content(), (result.succeeded()) ? null : result.content(), nanos / 1e6);
		return SystemMessage.write(system, call, ended, dir, sent);
	}

	/**
	 * The news that a tool threw an exception.
	 * @param system whose message it is, or {@code null} for that of all
	 * @param outcome how the call ended
	 * @param dir where the decider runs
	 * @param sent what is sent of the user
	 * @return the message
	 */
	public static byte[] failure(@Nullable HookSystem system, ToolOutcome outcome, String dir, SentUser sent) {
		if (system == null) {
			return failure(outcome, dir, sent);
		}
		SystemMessage.Ended ended = new SystemMessage.Ended(null, "", failureOf(outcome),
				outcome.duration().toNanos() / 1e6);
		return SystemMessage.write(system, outcome.effective(), ended, dir, sent);
	}

	private static byte[] result(ToolCall call, ToolResult result, long nanos, String dir, SentUser sent) {
		Map<String, @Nullable Object> message = describe((result.succeeded()) ? "PostToolUse" : "PostToolUseFailure",
				"post_tool_use", call, dir, sent);
		Object written = DialectJson.write(CallParts.valueOf(result.value(), result.content()), CallMessage::isHidden);
		message.put("tool_response", written);
		message.put("tool_output", written);
		if (!result.succeeded()) {
			message.put("error", result.content());
		}
		double millis = nanos / 1e6;
		message.put("duration_ms", millis);
		addResultForOthers(message, call, result, written, millis);
		return line(message, call);
	}

	@SuppressWarnings("unchecked") // as it was made
	private static void addResultForOthers(Map<String, @Nullable Object> message, ToolCall call, ToolResult result,
			Object written, double millis) {
		String type = (result.succeeded()) ? "success" : "failure";
		String text = result.content();
		message.put("toolResult", Map.of("resultType", type, "textResultForLlm", text));
		Map<String, @Nullable Object> both = new LinkedHashMap<>(
				(Map<String, Object>) Objects.requireNonNull(message.get("tool_call")));
		both.put("output", written);
		both.put("error", (result.succeeded()) ? null : text);
		both.put("durationMs", millis);
		both.put("result_type", type);
		both.put("text_result_for_llm", text);
		message.put("tool_result", copy(both));
		message.put("postToolUse",
				copy(Map.of("toolName", call.identity().stableName(), "parameters", copy(call.arguments()), "result",
						text, "success", result.succeeded(), "executionTimeMs", Long.toString(Math.round(millis)))));
		if (!result.succeeded()) {
			message.put("error_message", text);
		}
	}

	private static byte[] failure(ToolOutcome outcome, String dir, SentUser sent) {
		Map<String, @Nullable Object> message = describe("PostToolUseFailure", "post_tool_use", outcome.effective(),
				dir, sent);
		message.put("tool_response", null);
		message.put("tool_output", null);
		message.put("error", failureOf(outcome));
		message.put("error_message", failureOf(outcome));
		message.put("duration_ms", outcome.duration().toNanos() / 1e6);
		return line(message, outcome.effective());
	}

	static String failureOf(ToolOutcome outcome) {
		return SafeText.reason(String.valueOf(outcome.failure()));
	}

	private static Map<String, @Nullable Object> describe(String claudeEvent, String agentPoolEvent, ToolCall call,
			String dir, SentUser sent) {
		Map<String, @Nullable Object> message = describe(claudeEvent, agentPoolEvent, call.context(), dir, sent);
		message.put("tool_name", call.identity().stableName());
		boolean windsurf = ofCursor(call).containsKey(CallParts.COMMAND);
		message.put("tool_input", DialectJson.write(call.arguments(),
				(name) -> isHidden(name) || (windsurf && name.equals(COMMAND_LINE))));
		message.put("tool_use_id", call.id());
		describeToOthers(message, call, dir);
		return message;
	}

	static Map<String, @Nullable Object> describe(String claudeEvent, String agentPoolEvent, CallContext context,
			String dir, SentUser sent) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("session_id", Objects.requireNonNullElse(context.sessionId(), ""));
		message.put("conversation_id", context.sessionId());
		message.put("transcript_path", "");
		message.put("cwd", dir);
		message.put("permission_mode", "default");
		message.put("hook_event_name", claudeEvent);
		message.put("event", agentPoolEvent);
		message.put("agent_name", context.agent());
		sent.addTo(message, context);
		return message;
	}

	private static void describeToOthers(Map<String, @Nullable Object> message, ToolCall call, String dir) {
		boolean before = "PreToolUse".equals(message.get("hook_event_name"));
		CallParts parts = new CallParts(call);
		Object arguments = copy(call.arguments());
		String tool = call.identity().stableName();
		message.put("tool_call", Map.of("id", call.id(), "name", tool, "input", arguments));
		message.put("toolName", tool);
		message.put("toolArgs", DialectJson.write(call.arguments(), (name) -> false).toString());
		message.put("toolInput", arguments);
		message.put("toolCall", Map.of("name", tool, "args", copy(parts.forAntigravity(dir))));
		message.put("hookName", (before) ? "PreToolUse" : "PostToolUse");
		if (before) {
			message.put("preToolUse", copy(Map.of("toolName", tool, "parameters", arguments)));
		}
		message.put("hookEventName", message.get("hook_event_name"));
		for (String session : List.of("sessionId", "conversationId", "taskId", "trajectory_id")) {
			message.put(session, parts.session());
		}
		message.put("execution_id", parts.run());
		message.put("timestamp", parts.time());
		message.put("transcriptPath", "");
		for (String roots : List.of("workspace_roots", "workspacePaths", "workspaceRoots")) {
			message.put(roots, List.of(dir));
		}
		if (parts.isOnServer()) {
			message.put("mcp_context", parts.mcpContext());
			message.put("mcp_server_name", parts.server());
		}
		describeToWindsurf(message, call, parts, dir, (before) ? "pre_" : "post_");
	}

	private static void describeToWindsurf(Map<String, @Nullable Object> message, ToolCall call, CallParts parts,
			String dir, String phase) {
		Map<String, @Nullable Object> windsurf = ofCursor(call);
		if (windsurf.containsKey(CallParts.COMMAND)) {
			windsurf.put(COMMAND_LINE, windsurf.remove(CallParts.COMMAND));
		}
		windsurf.put("cwd", dir);
		String action = parts.windsurfAction();
		if (action != null) {
			message.put("agent_action_name", phase + action);
		}
		if (parts.isOnServer()) {
			windsurf.put("mcp_server_name", parts.server());
			windsurf.put("mcp_tool_name", parts.tool().name());
			windsurf.put("mcp_tool_arguments", copy(call.arguments()));
		}
		else if (parts.writesFile()) {
			windsurf.put("edits", copy(parts.edits()));
		}
		message.put("tool_info", DialectJson.write(windsurf, (name) -> !SHOWN_TO_WINDSURF.contains(name)));
	}

	/**
	 * A value of the agent becomes a member of the whole only under a name that Cursor
	 * gives it.
	 */
	private static Map<String, @Nullable Object> ofCursor(ToolCall call) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		for (String name : List.of(CallParts.COMMAND, CallParts.FILE)) {
			if (call.arguments().get(name) instanceof String text) {
				members.put(name, text);
			}
		}
		return members;
	}

	/** Written in parts, as each has a bound and the arguments are in all. */
	private static byte[] line(Map<String, @Nullable Object> message, ToolCall call) {
		Map<String, @Nullable Object> last = new LinkedHashMap<>();
		last.put("toolCall", message.remove("toolCall"));
		last.put("tool_info", message.remove("tool_info"));
		DialectJson.Written whole = DialectJson.write(message, (name) -> false)
			.and(DialectJson.write(last, (name) -> false));
		Map<String, @Nullable Object> cursor = ofCursor(call);
		return ((cursor.isEmpty()) ? whole : whole.and(DialectJson.write(cursor, (name) -> true))).toLine();
	}

	static byte[] line(Map<String, @Nullable Object> message) {
		return DialectJson.write(message, (name) -> false).toLine();
	}

	/** For programs without a reader of JSON each argument is there once. */
	private static Object copy(Object value) {
		return DialectJson.write(value, (name) -> true);
	}

}
