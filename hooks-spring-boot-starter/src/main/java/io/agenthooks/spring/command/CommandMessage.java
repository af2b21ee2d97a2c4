package io.agenthooks.spring.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * What a command gets to read, as one JSON object that has the names of all the systems
 * at once whose hooks are run: a hook that finds nothing under the name that it knows
 * would let everything pass. A tool of an MCP server has the name that it has in Claude
 * Code, {@code mcp__server__name}: one that no other server can take away.
 */
final class CommandMessage {

	/** This is Windsurf's alone, so there is no other that it could be taken for. */
	private static final String COMMAND_LINE = "command_line";

	/**
	 * The names of the whole. What the agent chose must not look like one of them, nor
	 * like Windsurf's, to who searches the text.
	 */
	private static final Set<String> NAMES = Set.of("session_id", "conversation_id", "transcript_path", "cwd",
			"permission_mode", "hook_event_name", "event", "agent_name", "tool_name", "tool_input", "tool_use_id",
			"tool_call", "toolName", "toolArgs", "toolInput", "workspace_roots", "agent_action_name", "tool_info",
			"hookName", "preToolUse", "tool_response", "tool_output", "error", "duration_ms", "authorities", "claims");

	private CommandMessage() {
	}

	/**
	 * Whether a member of the whole has this name.
	 */
	static boolean isSent(String name) {
		return NAMES.contains(name);
	}

	/**
	 * The question whether a call may happen.
	 */
	static byte[] preCall(ToolCall call, String dir, SentUser sent) {
		Map<String, @Nullable Object> message = describe("PreToolUse", "pre_tool_use", call, dir, sent);
		return line(message, call);
	}

	/**
	 * The result of a call.
	 */
	static byte[] result(ToolCall call, ToolResult result, long nanos, String dir, SentUser sent) {
		Map<String, @Nullable Object> message = describe((result.succeeded()) ? "PostToolUse" : "PostToolUseFailure",
				"post_tool_use", call, dir, sent);
		Object response = (result.value() != null && StrictJson.isJson(result.value())) ? result.value()
				: result.content();
		Object written = CommandJson.write(response, NAMES::contains);
		message.put("tool_response", written);
		message.put("tool_output", written);
		if (!result.succeeded()) {
			message.put("error", result.content());
		}
		message.put("duration_ms", nanos / 1e6);
		return line(message, call);
	}

	/**
	 * The news that a tool threw an exception.
	 */
	static byte[] failure(ToolOutcome outcome, String dir, SentUser sent) {
		Map<String, @Nullable Object> message = describe("PostToolUseFailure", "post_tool_use", outcome.effective(),
				dir, sent);
		message.put("tool_response", null);
		message.put("tool_output", null);
		message.put("error", SafeText.reason(String.valueOf(outcome.failure())));
		message.put("duration_ms", outcome.duration().toNanos() / 1e6);
		return line(message, outcome.effective());
	}

	private static Map<String, @Nullable Object> describe(String claudeEvent, String agentPoolEvent, ToolCall call,
			String dir, SentUser sent) {
		Map<String, @Nullable Object> message = describe(claudeEvent, agentPoolEvent, call.context(), dir, sent);
		message.put("tool_name", call.identity().stableName());
		boolean windsurf = ofCursor(call).containsKey("command");
		message.put("tool_input", CommandJson.write(call.arguments(),
				(name) -> NAMES.contains(name) || (windsurf && name.equals(COMMAND_LINE))));
		message.put("tool_use_id", call.id());
		describeToOthers(message, call, dir);
		return message;
	}

	/**
	 * Who makes a call, and where.
	 */
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

	/**
	 * Add the names of Cline, Copilot and Windsurf.
	 */
	private static void describeToOthers(Map<String, @Nullable Object> message, ToolCall call, String dir) {
		boolean before = "PreToolUse".equals(message.get("hook_event_name"));
		Object arguments = copy(call.arguments());
		String tool = call.identity().stableName();
		message.put("tool_call", Map.of("id", call.id(), "name", tool, "input", arguments));
		message.put("toolName", tool);
		message.put("toolArgs", CommandJson.write(call.arguments(), (name) -> false).toString());
		message.put("toolInput", arguments);
		if (before) {
			message.put("hookName", "PreToolUse");
			message.put("preToolUse", copy(Map.of("toolName", tool, "parameters", arguments)));
		}
		message.put("workspace_roots", List.of(dir));
		Map<String, @Nullable Object> windsurf = ofCursor(call);
		if (windsurf.containsKey("command")) {
			message.put("agent_action_name", (before) ? "pre_run_command" : "post_run_command");
			windsurf.put(COMMAND_LINE, windsurf.remove("command"));
		}
		windsurf.put("cwd", dir);
		message.put("tool_info", CommandJson.write(windsurf, (name) -> !name.equals(COMMAND_LINE)));
	}

	/**
	 * What Cursor has beside everything else. What the agent chose becomes a member of
	 * the whole only under a name that Cursor gives it.
	 */
	private static Map<String, @Nullable Object> ofCursor(ToolCall call) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		for (String name : List.of("command", "file_path")) {
			if (call.arguments().get(name) instanceof String text) {
				members.put(name, text);
			}
		}
		return members;
	}

	/**
	 * The whole, with an end that programs can see which read a line.
	 */
	private static byte[] line(Map<String, @Nullable Object> message, ToolCall call) {
		CommandJson.Written whole = CommandJson.write(message, (name) -> false);
		Map<String, @Nullable Object> cursor = ofCursor(call);
		return ((cursor.isEmpty()) ? whole : whole.and(CommandJson.write(cursor, (name) -> true))).toLine();
	}

	/**
	 * A message that has its end.
	 */
	static byte[] line(Map<String, @Nullable Object> message) {
		return CommandJson.write(message, (name) -> false).toLine();
	}

	/**
	 * What is there once more. For programs without a reader of JSON each argument is
	 * there once.
	 */
	private static Object copy(Map<String, @Nullable Object> members) {
		return CommandJson.write(members, (name) -> true);
	}

}
