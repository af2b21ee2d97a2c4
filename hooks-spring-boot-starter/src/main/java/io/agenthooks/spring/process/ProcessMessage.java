package io.agenthooks.spring.process;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolResult;

/**
 * The parameters of what the program is asked and told, in both dialects of PicoClaw at
 * once: the one that its manual shows ({@code name}, {@code args}, {@code type}), and the
 * one that it speaks ({@code tool}, {@code arguments}, {@code kind}).
 */
final class ProcessMessage {

	private ProcessMessage() {
	}

	static byte[] hello(String hook, ProcessSettings settings) {
		Map<String, Object> params = new LinkedHashMap<>();
		params.put("name", hook);
		params.put("version", 1);
		params.put("protocol_version", 1);
		params.put("modes", modes(settings));
		return StrictJson.write(params);
	}

	private static Object modes(ProcessSettings settings) {
		Map<String, Boolean> modes = new LinkedHashMap<>();
		modes.put("observe", !settings.observe().isEmpty());
		modes.put("tool", settings.intercept().contains(ProcessSettings.BEFORE)
				|| settings.intercept().contains(ProcessSettings.AFTER));
		modes.put("approve", settings.intercept().contains(ProcessSettings.APPROVE));
		modes.values().removeIf((used) -> !used);
		return modes.keySet();
	}

	/**
	 * A question about a call.
	 */
	static byte[] call(ToolCall call) {
		return StrictJson.write(describe(call));
	}

	/**
	 * A question about a result.
	 */
	static byte[] result(ToolCall call, ToolResult result, long nanos) {
		Map<String, @Nullable Object> params = describe(call);
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("for_llm", result.content());
		described.put("silent", false);
		described.put("is_error", !result.succeeded());
		params.put("result", described);
		params.put("duration", nanos);
		return StrictJson.write(params);
	}

	private static Map<String, @Nullable Object> describe(ToolCall call) {
		CallContext context = call.context();
		Map<String, @Nullable Object> around = new LinkedHashMap<>();
		around.put("user", context.user());
		around.put("role", context.role());
		around.put("workspace", context.workspace());
		around.put("attempt", context.attempt());
		Map<String, @Nullable Object> params = new LinkedHashMap<>();
		params.put("meta",
				members("AgentID", context.agent(), "TurnID", context.runId(), "SessionKey", context.sessionId()));
		params.put("context", around);
		params.put("call_id", call.id());
		params.put("tool", call.tool());
		params.put("name", call.tool());
		params.put("arguments", call.arguments());
		params.put("args", call.arguments());
		return params;
	}

	/**
	 * What happened to a call.
	 */
	static byte[] event(String event, ToolCall call, Map<String, Object> payload) {
		CallContext context = call.context();
		Map<String, @Nullable Object> params = new LinkedHashMap<>();
		params.put("id", UUID.randomUUID().toString());
		params.put("kind", ProcessSettings.kindOf(event));
		params.put("type", event);
		params.put("time", Instant.now().toString());
		params.put("severity", "info");
		params.put("scope",
				members("agent_id", context.agent(), "turn_id", context.runId(), "session_key", context.sessionId()));
		params.put("call_id", call.id());
		params.put("payload", payload);
		params.put("data", payload);
		return StrictJson.write(params);
	}

	/**
	 * Go writes an empty text where there is none.
	 */
	private static Map<String, String> members(String agentName, @Nullable String agent, String turnName,
			@Nullable String turn, String sessionName, @Nullable String session) {
		Map<String, String> members = new LinkedHashMap<>();
		members.put(agentName, (agent != null) ? agent : "");
		members.put(turnName, (turn != null) ? turn : "");
		members.put(sessionName, (session != null) ? session : "");
		return members;
	}

}
