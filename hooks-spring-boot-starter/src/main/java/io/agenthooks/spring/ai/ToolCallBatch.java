package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.util.StringUtils;

/**
 * The calls of tools that a model made in one message. A tool does not learn which of
 * them it serves, so each takes the first one with its name and arguments that no other
 * took. Those may be swapped only if they are equal.
 */
final class ToolCallBatch {

	private final List<Message> history;

	private final AssistantMessage message;

	private final List<AssistantMessage.ToolCall> open;

	private final List<ToolResponse> replies;

	/** The tools that the model could choose from. */
	private final List<ToolCallback> offered;

	ToolCallBatch(List<Message> history, AssistantMessage message, List<ToolCallback> offered) {
		this.offered = offered;
		this.history = history;
		this.message = message;
		this.open = new ArrayList<>(message.getToolCalls());
		this.replies = new ArrayList<>(this.open.size());
	}

	List<ToolCallback> offered() {
		return this.offered;
	}

	/**
	 * The id that the model's provider gave to the call that a tool is to serve now, or
	 * {@code null} if it gave none.
	 */
	synchronized @Nullable String take(String tool, String arguments) {
		AssistantMessage.ToolCall taken = null;
		for (AssistantMessage.ToolCall call : this.open) {
			if (call.name().equals(tool)) {
				if (arguments.equals(call.arguments())) {
					taken = call;
					break;
				}
				taken = (taken != null) ? taken : call;
			}
		}
		if (taken == null) {
			return null;
		}
		this.open.remove(taken);
		return (StringUtils.hasText(taken.id())) ? taken.id() : null;
	}

	synchronized void add(String id, String tool, String reply) {
		this.replies.add(new ToolResponse(id, tool, reply));
	}

	/**
	 * The batch as it is when its turn is over, with a last reply that tells so.
	 */
	synchronized ToolExecutionResult endWith(String id, String tool, String reply) {
		add(id, tool, reply);
		List<Message> history = new ArrayList<>(this.history);
		history.add(this.message);
		history.add(ToolResponseMessage.builder().responses(List.copyOf(this.replies)).build());
		return ToolExecutionResult.builder().conversationHistory(history).build();
	}

}
