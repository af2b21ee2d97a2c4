package io.agenthooks.spring.ai;

import java.util.List;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

import io.agenthooks.toolcall.ToolExecutor;

/** Stands where the application's tools do while the gate is proved; never runs. */
final class ProbeTool implements ToolCallback {

	static final String NAME = "agent-hooks-probe";

	static final ToolExecutor EXECUTOR = (call) -> {
		throw new IllegalStateException("A call that must be denied reached a tool");
	};

	private static final ToolDefinition DEFINITION = ToolDefinition.builder()
		.name(NAME)
		.description("Never runs")
		.inputSchema("{}")
		.build();

	@Override
	public ToolDefinition getToolDefinition() {
		return DEFINITION;
	}

	@Override
	public String call(String toolInput) {
		throw new IllegalStateException("A call that must be denied reached a tool");
	}

	static Prompt prompt() {
		return new Prompt(List.of(new UserMessage(NAME)),
				ToolCallingChatOptions.builder().toolCallbacks(List.of(new ProbeTool())).build());
	}

	static ChatResponse response() {
		AssistantMessage.ToolCall call = new AssistantMessage.ToolCall(NAME, "function", NAME, "{}");
		return new ChatResponse(
				List.of(new Generation(AssistantMessage.builder().content("").toolCalls(List.of(call)).build())));
	}

}
