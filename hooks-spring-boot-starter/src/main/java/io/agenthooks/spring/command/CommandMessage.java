package io.agenthooks.spring.command;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

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

	private CommandMessage() {
	}

	/**
	 * The question whether a call may happen.
	 */
	static byte[] preCall(ToolCall call, String dir) {
		Map<String, @Nullable Object> message = describe("PreToolUse", "pre_tool_use", call, dir);
		Map<String, @Nullable Object> cline = new LinkedHashMap<>();
		cline.put("toolName", call.tool());
		cline.put("parameters", call.arguments());
		message.put("hookName", "PreToolUse");
		message.put("preToolUse", cline);
		return line(message);
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
		return line(message);
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
		return line(message);
	}

	/**
	 * A message with an end that programs can see which read a line.
	 */
	private static byte[] line(Map<String, @Nullable Object> message) {
		byte[] json = StrictJson.write(message);
		byte[] line = Arrays.copyOf(json, json.length + 1);
		line[json.length] = '\n';
		return line;
	}

	private static Map<String, @Nullable Object> describe(String claudeEvent, String agentPoolEvent, ToolCall call,
			String dir) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("session_id", Objects.requireNonNullElse(call.context().sessionId(), ""));
		message.put("conversation_id", call.context().sessionId());
		message.put("transcript_path", "");
		message.put("cwd", dir);
		message.put("permission_mode", "default");
		message.put("hook_event_name", claudeEvent);
		message.put("event", agentPoolEvent);
		message.put("agent_name", call.context().agent());
		message.put("tool_name", call.tool());
		message.put("tool_input", call.arguments());
		message.put("tool_use_id", call.id());
		describeToOthers(message, call, dir);
		return message;
	}

	/**
	 * Add the names of Cline, Copilot, Cursor and Windsurf. What the agent chose becomes
	 * a member only under a name that they give it.
	 */
	private static void describeToOthers(Map<String, @Nullable Object> message, ToolCall call, String dir) {
		Map<String, @Nullable Object> cline = new LinkedHashMap<>();
		cline.put("id", call.id());
		cline.put("name", call.tool());
		cline.put("input", call.arguments());
		message.put("tool_call", cline);
		message.put("toolName", call.tool());
		message.put("toolArgs", new String(StrictJson.write(call.arguments()), StandardCharsets.US_ASCII));
		message.put("toolInput", call.arguments());
		message.put("workspace_roots", List.of(dir));
		Map<String, @Nullable Object> windsurf = new LinkedHashMap<>();
		windsurf.put("cwd", dir);
		if (call.arguments().get("command") instanceof String command) {
			message.put("command", command);
			message.put("agent_action_name", "pre_run_command");
			windsurf.put("command_line", command);
		}
		if (call.arguments().get("file_path") instanceof String path) {
			message.put("file_path", path);
			windsurf.put("file_path", path);
		}
		message.put("tool_info", windsurf);
	}

}
