package io.agenthooks.spring.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * What a command gets to read, as one JSON object that has the names of Claude Code and
 * of AgentPool at once.
 */
final class CommandMessage {

	private CommandMessage() {
	}

	/**
	 * The question whether a call may happen.
	 */
	static byte[] preCall(ToolCall call, String dir) {
		return StrictJson.write(describe("PreToolUse", "pre_tool_use", call, dir));
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
		return StrictJson.write(message);
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
		return StrictJson.write(message);
	}

	private static Map<String, @Nullable Object> describe(String claudeEvent, String agentPoolEvent, ToolCall call,
			String dir) {
		Map<String, @Nullable Object> message = describe(claudeEvent, agentPoolEvent, call.context(), dir);
		message.put("tool_name", call.tool());
		message.put("tool_input", call.arguments());
		message.put("tool_use_id", call.id());
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
		message.put("cwd", dir);
		message.put("hook_event_name", claudeEvent);
		message.put("event", agentPoolEvent);
		message.put("agent_name", context.agent());
		return message;
	}

}
