package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;

import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmRole;

/**
 * The messages of a prompt as hooks see them, and back. What hooks do not touch stays the
 * same object; where they change a text, the rest of the message stays.
 */
final class PromptMessages {

	private PromptMessages() {
	}

	/** Each reply of a tool is a message for hooks: one message may hold several. */
	static List<LlmMessage> forHooks(List<Message> messages) {
		List<LlmMessage> shown = new ArrayList<>(messages.size());
		for (int i = 0; i < messages.size(); i++) {
			Message message = messages.get(i);
			if (message instanceof ToolResponseMessage tools && !tools.getResponses().isEmpty()) {
				for (ToolResponse response : tools.getResponses()) {
					shown.add(new LlmMessage(LlmRole.TOOL, textOf(response), new Reply(i, tools, response)));
				}
			}
			else {
				shown.add(new LlmMessage(roleOf(message.getMessageType()), textOf(message), message));
			}
		}
		return shown;
	}

	static List<Message> fromHooks(List<LlmMessage> shown) {
		List<Message> messages = new ArrayList<>(shown.size());
		int next = 0;
		while (next < shown.size()) {
			Reply first = replyOf(shown.get(next));
			if (first == null) {
				messages.add(message(shown.get(next)));
				next++;
			}
			else {
				List<ToolResponse> responses = new ArrayList<>();
				Reply reply = first;
				while (reply != null && reply.position() == first.position()) {
					responses.add(response(reply.response(), shown.get(next).text()));
					next++;
					reply = (next < shown.size()) ? replyOf(shown.get(next)) : null;
				}
				ToolResponseMessage tools = first.message();
				messages.add((responses.equals(tools.getResponses())) ? tools
						: ToolResponseMessage.builder().responses(responses).metadata(tools.getMetadata()).build());
			}
		}
		return messages;
	}

	private static Message message(LlmMessage shown) {
		String text = shown.text();
		Object source = shown.source();
		if (source instanceof Message message && roleOf(message.getMessageType()) == shown.role()
				&& textOf(message).equals(text)) {
			return message;
		}
		return switch (shown.role()) {
			case SYSTEM ->
				(source instanceof SystemMessage system) ? system.mutate().text(text).build() : new SystemMessage(text);
			case USER ->
				(source instanceof UserMessage user) ? user.mutate().text(text).build() : new UserMessage(text);
			case ASSISTANT -> (source instanceof AssistantMessage assistant) ? withText(assistant, text).build()
					: new AssistantMessage(text);
			case TOOL -> throw new IllegalStateException(
					"A hook added the reply of a tool to a prompt, but there is no call that it replies to");
		};
	}

	/** Texts beside it, such as thoughts, may say what the old one did, so they go. */
	static AssistantMessage.Builder<?> withText(AssistantMessage message, String text) {
		Map<String, Object> properties = new HashMap<>(message.getMetadata());
		properties.values().removeIf(PromptMessages::maySay);
		return message.mutate().content(text).properties(properties);
	}

	/**
	 * Whether a value beside a message may hold texts; signatures of thoughts are bytes.
	 */
	static boolean maySay(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			return Stream.concat(map.keySet().stream(), map.values().stream()).anyMatch(PromptMessages::maySay);
		}
		if (value instanceof Collection<?> collection) {
			return collection.stream().anyMatch(PromptMessages::maySay);
		}
		return !(value == null || value instanceof Number || value instanceof Boolean || value instanceof Enum<?>
				|| value instanceof byte[]);
	}

	private static ToolResponse response(ToolResponse response, String text) {
		return (textOf(response).equals(text)) ? response : new ToolResponse(response.id(), response.name(), text);
	}

	private static @Nullable Reply replyOf(LlmMessage shown) {
		return (shown.role() == LlmRole.TOOL && shown.source() instanceof Reply reply) ? reply : null;
	}

	private static LlmRole roleOf(MessageType type) {
		return switch (type) {
			case SYSTEM -> LlmRole.SYSTEM;
			case USER -> LlmRole.USER;
			case ASSISTANT -> LlmRole.ASSISTANT;
			case TOOL -> LlmRole.TOOL;
		};
	}

	private static String textOf(Message message) {
		return Objects.requireNonNullElse(message.getText(), "");
	}

	private static String textOf(ToolResponse response) {
		return Objects.requireNonNullElse(response.responseData(), "");
	}

	private record Reply(int position, ToolResponseMessage message, ToolResponse response) {
	}

}
