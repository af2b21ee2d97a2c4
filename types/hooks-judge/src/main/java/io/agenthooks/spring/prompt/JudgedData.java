package io.agenthooks.spring.prompt;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.run.AgentRun;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolResult;

/**
 * With the names of AgentPool. What is different for every call, such as its id, is left
 * out: no two questions would be equal. A tool has its stable name, which says on which
 * server it is: a kept verdict must not be that of another server's tool.
 */
final class JudgedData {

	private JudgedData() {
	}

	static Map<String, @Nullable Object> of(ToolCall call) {
		return describe(JudgedEvent.PRE_TOOL_USE, call);
	}

	/** As the agent would get to read it. */
	static Map<String, @Nullable Object> of(ToolCall call, ToolResult result) {
		Map<String, @Nullable Object> data = describe(JudgedEvent.POST_TOOL_USE, call);
		data.put("tool_output", result.content());
		data.put("success", result.succeeded());
		return data;
	}

	private static Map<String, @Nullable Object> describe(JudgedEvent event, ToolCall call) {
		Map<String, @Nullable Object> data = describe(event, call.context());
		data.put("tool_name", call.identity().stableName());
		data.put("tool_input", call.arguments());
		return data;
	}

	static Map<String, @Nullable Object> of(LlmCall call) {
		return describe(JudgedEvent.PRE_LLM_CALL, call);
	}

	static Map<String, @Nullable Object> of(LlmCall call, LlmResponse response) {
		Map<String, @Nullable Object> data = describe(JudgedEvent.POST_LLM_CALL, call);
		List<Map<String, String>> toolCalls = response.toolCalls()
			.stream()
			.map((wish) -> Map.of("name", wish.name(), "arguments", wish.arguments()))
			.toList();
		data.put("response", Map.of("text", response.text(), "tool_calls", toolCalls));
		return data;
	}

	private static Map<String, @Nullable Object> describe(JudgedEvent event, LlmCall call) {
		Map<String, @Nullable Object> data = describe(event, call.context());
		data.put("model", call.model());
		data.put("tools", call.tools());
		data.put("prompt",
				call.messages()
					.stream()
					.map((message) -> Map.of("role", message.role().value(), "content", message.text()))
					.toList());
		return data;
	}

	static Map<String, @Nullable Object> of(AgentRun run) {
		Map<String, @Nullable Object> data = describe(JudgedEvent.PRE_RUN, run.context());
		data.put("prompt", run.prompt());
		return data;
	}

	private static Map<String, @Nullable Object> describe(JudgedEvent event, CallContext context) {
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		data.put("event", event.name().toLowerCase(Locale.ROOT));
		data.put("agent_name", context.agent());
		data.put("user", context.user());
		data.put("role", context.role());
		data.put("workspace", context.workspace());
		return data;
	}

}
