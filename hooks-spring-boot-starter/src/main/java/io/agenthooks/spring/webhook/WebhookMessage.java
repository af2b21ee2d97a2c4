package io.agenthooks.spring.webhook;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * What the endpoint gets to read, as JSON: {@code tool_name}, {@code arguments} and
 * {@code session_id} as in PulseBot, and what else is known about the call. Only JSON
 * values are sent, never an object that a mapper would have to guess at.
 */
final class WebhookMessage {

	/**
	 * How many characters of a result are sent.
	 */
	static final int MAX_RESULT = 256 * 1024;

	private WebhookMessage() {
	}

	/**
	 * The question whether a call may happen.
	 */
	static byte[] preCall(ToolCall call) {
		return StrictJson.write(describe(call));
	}

	/**
	 * The news of how a call ended.
	 */
	static byte[] postCall(ToolOutcome outcome) {
		Map<String, @Nullable Object> message = describe(outcome.effective());
		ToolResult result = outcome.result();
		boolean success = result != null && result.succeeded();
		message.put("event", "post_call");
		message.put("success", success);
		message.put("status", outcome.status().value());
		if (outcome.decidedBy() != null) {
			message.put("decided_by", outcome.decidedBy());
		}
		if (!outcome.failedOpen().isEmpty()) {
			message.put("failed_open", outcome.failedOpen());
		}
		if (result == null) {
			message.put("error", describe(outcome.failure()));
		}
		else if (result.content().length() > MAX_RESULT) {
			message.put((success) ? "result" : "error", cut(result.content()));
			message.put("truncated", true);
		}
		else {
			message.put((success) ? "result" : "error",
					(success && StrictJson.isJson(result.value())) ? result.value() : result.content());
		}
		message.put("duration_ms", outcome.duration().toMillis());
		return StrictJson.write(message);
	}

	private static Map<String, @Nullable Object> describe(ToolCall call) {
		CallContext context = call.context();
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("tool_name", call.tool());
		message.put("arguments", call.arguments());
		message.put("session_id", Objects.requireNonNullElse(context.sessionId(), ""));
		message.put("call_id", call.id());
		if (context.runId() != null) {
			message.put("run_id", context.runId());
		}
		if (context.user() != null) {
			message.put("user", context.user());
		}
		if (context.agent() != null) {
			message.put("agent", context.agent());
		}
		message.put("role", context.role());
		message.put("workspace", context.workspace());
		message.put("attempt", context.attempt());
		Map<String, Object> attributes = new LinkedHashMap<>(context.attributes());
		attributes.values().removeIf((value) -> !StrictJson.isJson(value));
		if (!attributes.isEmpty()) {
			message.put("attributes", attributes);
		}
		return message;
	}

	private static String describe(@Nullable Throwable failure) {
		if (failure instanceof ToolCallAbortedException aborted) {
			return aborted.getReason();
		}
		return SafeText.reason(String.valueOf(failure));
	}

	private static String cut(String text) {
		int end = (Character.isHighSurrogate(text.charAt(MAX_RESULT - 1))) ? MAX_RESULT - 1 : MAX_RESULT;
		return text.substring(0, end);
	}

}
