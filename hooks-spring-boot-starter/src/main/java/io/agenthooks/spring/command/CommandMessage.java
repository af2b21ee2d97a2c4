package io.agenthooks.spring.command;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * What a command gets to read, as one JSON object that has the names of all the systems
 * at once whose hooks are run: a hook that finds nothing under the name that it knows
 * would let everything pass.
 */
final class CommandMessage {

	/** This is Windsurf's alone, so there is no other that it could be taken for. */
	private static final String COMMAND_LINE = "command_line";

	private CommandMessage() {
	}

	/**
	 * The question whether a call may happen.
	 */
	static byte[] preCall(ToolCall call, String dir) {
		Map<String, @Nullable Object> message = describe("PreToolUse", "pre_tool_use", call, dir);
		message.put("hookName", "PreToolUse");
		message.put("preToolUse", Map.of("toolName", call.tool(), "parameters", copy(call.arguments())));
		return line(message, call);
	}

	/**
	 * The result of a call.
	 */
	static byte[] result(ToolCall call, ToolResult result, long nanos, String dir) {
		Map<String, @Nullable Object> message = describe((result.succeeded()) ? "PostToolUse" : "PostToolUseFailure",
				"post_tool_use", call, dir);
		Object response = (result.value() != null && StrictJson.isJson(result.value())) ? result.value()
				: result.content();
		message.put("tool_response", response);
		message.put("tool_output", response);
		if (!result.succeeded()) {
			message.put("error", result.content());
		}
		message.put("duration_ms", nanos / 1e6);
		return line(message, call);
	}

	/**
	 * The news that a tool threw an exception.
	 */
	static byte[] failure(ToolOutcome outcome, String dir) {
		Map<String, @Nullable Object> message = describe("PostToolUseFailure", "post_tool_use", outcome.effective(),
				dir);
		message.put("tool_response", null);
		message.put("tool_output", null);
		message.put("error", SafeText.reason(String.valueOf(outcome.failure())));
		message.put("duration_ms", outcome.duration().toNanos() / 1e6);
		return line(message, outcome.effective());
	}

	private static Map<String, @Nullable Object> describe(String claudeEvent, String agentPoolEvent, ToolCall call,
			String dir) {
		Map<String, @Nullable Object> message = describe(claudeEvent, agentPoolEvent, call.context(), dir);
		message.put("tool_name", call.tool());
		message.put("tool_input", call.arguments());
		message.put("tool_use_id", call.id());
		describeToOthers(message, call, dir);
		return message;
	}

	/**
	 * Who makes a call, and where.
	 */
	static Map<String, @Nullable Object> describe(String claudeEvent, String agentPoolEvent, CallContext context,
			String dir) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("session_id", Objects.requireNonNullElse(context.sessionId(), ""));
		message.put("conversation_id", context.sessionId());
		message.put("transcript_path", "");
		message.put("cwd", dir);
		message.put("permission_mode", "default");
		message.put("hook_event_name", claudeEvent);
		message.put("event", agentPoolEvent);
		message.put("agent_name", context.agent());
		return message;
	}

	/**
	 * Add the names of Cline, Copilot and Windsurf.
	 */
	private static void describeToOthers(Map<String, @Nullable Object> message, ToolCall call, String dir) {
		boolean before = "PreToolUse".equals(message.get("hook_event_name"));
		Object arguments = copy(call.arguments());
		message.put("tool_call", Map.of("id", call.id(), "name", call.tool(), "input", arguments));
		message.put("toolName", call.tool());
		message.put("toolArgs", json(call.arguments()));
		message.put("toolInput", arguments);
		message.put("workspace_roots", List.of(dir));
		Map<String, @Nullable Object> windsurf = ofCursor(call);
		if (windsurf.containsKey("command")) {
			message.put("agent_action_name", (before) ? "pre_run_command" : "post_run_command");
			windsurf.put(COMMAND_LINE, windsurf.remove("command"));
		}
		windsurf.put("cwd", dir);
		message.put("tool_info", copy(windsurf));
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
		String whole = json(message);
		Map<String, @Nullable Object> cursor = ofCursor(call);
		if (!cursor.isEmpty()) {
			whole = whole.substring(0, whole.length() - 1) + "," + copyOf(cursor).substring(1);
		}
		return line(whole);
	}

	/**
	 * A message that has its end.
	 */
	static byte[] line(Map<String, @Nullable Object> message) {
		return line(json(message));
	}

	private static byte[] line(String whole) {
		return (whole + "\n").getBytes(StandardCharsets.US_ASCII);
	}

	private static Object copy(Map<String, @Nullable Object> members) {
		return StrictJson.verbatim(copyOf(members));
	}

	/**
	 * JSON with the names written so that who reads JSON finds them, and who searches the
	 * text does not: for programs without a reader of JSON each argument is there once.
	 */
	private static String copyOf(Map<String, @Nullable Object> members) {
		return members.entrySet()
			.stream()
			.map((member) -> escaped(member.getKey()) + ":" + json(member.getValue()))
			.collect(Collectors.joining(",", "{", "}"));
	}

	private static String escaped(String name) {
		String json = json(name);
		boolean plain = !name.isEmpty() && json.charAt(1) == name.charAt(0) && name.charAt(0) != '\\';
		return (!plain || name.equals(COMMAND_LINE)) ? json
				: "\"\\u%04x".formatted((int) name.charAt(0)) + json.substring(2);
	}

	private static String json(@Nullable Object value) {
		return (value != null) ? new String(StrictJson.write(value), StandardCharsets.US_ASCII) : "null";
	}

}
