package io.agenthooks.spring.process;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.json.PromptJson;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolResult;

/**
 * Questions and events in both dialects of PicoClaw at once: that of its manual
 * ({@code name}, {@code args}, {@code type}), and the one that it speaks ({@code tool},
 * {@code arguments}, {@code kind}).
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
		modes.put("llm", settings.intercept().contains(ProcessSettings.BEFORE_LLM)
				|| settings.intercept().contains(ProcessSettings.AFTER_LLM));
		modes.put("tool", settings.intercept().contains(ProcessSettings.BEFORE)
				|| settings.intercept().contains(ProcessSettings.AFTER));
		modes.put("approve", settings.intercept().contains(ProcessSettings.APPROVE));
		modes.values().removeIf((used) -> !used);
		return modes.keySet();
	}

	static byte[] call(ToolCall call, SentUser sent) {
		return StrictJson.write(describe(call, sent));
	}

	static byte[] result(ToolCall call, ToolResult result, long nanos, SentUser sent) {
		Map<String, @Nullable Object> params = describe(call, sent);
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("for_llm", result.content());
		described.put("silent", false);
		described.put("is_error", !result.succeeded());
		params.put("result", described);
		params.put("duration", nanos);
		return StrictJson.write(params);
	}

	private static Map<String, @Nullable Object> describe(ToolCall call, SentUser sent) {
		Map<String, @Nullable Object> params = describe(call.context(), sent);
		params.put("call_id", call.id());
		params.put("tool", call.identity().stableName());
		params.put("name", call.identity().stableName());
		params.put("arguments", call.arguments());
		params.put("args", call.arguments());
		return params;
	}

	/** Of tools only the names are known. */
	static byte[] call(LlmCall call, SentUser sent) {
		Map<String, @Nullable Object> params = describe(call.context(), sent);
		params.put("call_id", call.id());
		params.put("model", orEmpty(call.model()));
		params.put("messages", PromptJson.messagesOf(call));
		params.put("tools",
				call.tools()
					.stream()
					.map((tool) -> Map.of("type", "function", "function", Map.of("name", tool)))
					.toList());
		params.put("options", PromptJson.optionsOf(call));
		params.put("graceful_terminal", false);
		return StrictJson.write(params);
	}

	static byte[] response(LlmCall call, LlmResponse response, SentUser sent) {
		Map<String, @Nullable Object> params = describe(call.context(), sent);
		params.put("call_id", call.id());
		params.put("model", orEmpty((response.model() != null) ? response.model() : call.model()));
		Map<String, @Nullable Object> described = new LinkedHashMap<>();
		described.put("role", "assistant");
		described.put("content", response.text());
		if (!response.toolCalls().isEmpty()) {
			described.put("tool_calls", response.toolCalls().stream().map(ProcessMessage::describe).toList());
		}
		described.put("finish_reason", orEmpty(response.finishReason()));
		LlmUsage usage = response.usage();
		if (usage != null) {
			described.put("usage", Map.of("prompt_tokens", usage.inputTokens(), "completion_tokens",
					usage.outputTokens(), "total_tokens", usage.inputTokens() + usage.outputTokens()));
		}
		params.put("response", described);
		return StrictJson.write(params);
	}

	private static Map<String, Object> describe(LlmToolCall call) {
		return Map.of("id", call.id(), "type", "function", "function",
				Map.of("name", call.name(), "arguments", call.arguments()));
	}

	private static Map<String, @Nullable Object> describe(CallContext context, SentUser sent) {
		Map<String, @Nullable Object> around = new LinkedHashMap<>();
		around.put("user", context.user());
		sent.addTo(around, context);
		around.put("role", context.role());
		around.put("workspace", context.workspace());
		around.put("attempt", context.attempt());
		Map<String, @Nullable Object> params = new LinkedHashMap<>();
		Map<String, Object> meta = new LinkedHashMap<>(
				members("AgentID", context.agent(), "TurnID", context.runId(), "SessionKey", context.sessionId()));
		// Which turn of the model it is, no application knows; Go writes zero then.
		meta.put("Iteration", 0);
		params.put("meta", meta);
		params.put("context", around);
		return params;
	}

	static byte[] event(String event, String id, CallContext context, Map<String, Object> payload, SentUser sent) {
		Map<String, @Nullable Object> params = new LinkedHashMap<>();
		params.put("id", UUID.randomUUID().toString());
		params.put("kind", ProcessPlace.kindOf(event));
		params.put("type", event);
		params.put("time", Instant.now().toString());
		params.put("source", "agent");
		params.put("severity", "info");
		params.put("scope",
				members("agent_id", context.agent(), "turn_id", context.runId(), "session_key", context.sessionId()));
		params.put("call_id", id);
		sent.addTo(params, context);
		params.put("payload", payload);
		params.put("data", payload);
		return StrictJson.write(params);
	}

	/** Go writes an empty text where there is none. */
	private static Map<String, String> members(String agentName, @Nullable String agent, String turnName,
			@Nullable String turn, String sessionName, @Nullable String session) {
		Map<String, String> members = new LinkedHashMap<>();
		members.put(agentName, orEmpty(agent));
		members.put(turnName, orEmpty(turn));
		members.put(sessionName, orEmpty(session));
		return members;
	}

	private static String orEmpty(@Nullable String text) {
		return (text != null) ? text : "";
	}

}
