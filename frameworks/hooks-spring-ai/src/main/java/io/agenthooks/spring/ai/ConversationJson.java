package io.agenthooks.spring.ai;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AbstractMessage;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.MediaContent;

import io.agenthooks.SafeText;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * The messages of a conversation as JSON, and back. Metadata is kept only if it is plain;
 * a conversation in which more would be lost is not written.
 */
final class ConversationJson {

	/** Told apart from what other frameworks write, and from later ways to write. */
	static final String FORMAT = "spring-ai-1";

	/** Metadata of an answer that its provider wants to have back. */
	private static final String THINKING = "anthropicThinkingContents";

	/** Metadata may have that many levels. */
	private static final int MAX_DEPTH = 8;

	private static final StrictJson reader = new StrictJson(4);

	private ConversationJson() {
	}

	/** The problem of a conversation that cannot be written, or {@code null}. */
	static @Nullable String problem(List<? extends Message> messages) {
		for (Message message : messages) {
			String problem = problem(message);
			if (problem != null) {
				return problem;
			}
		}
		return null;
	}

	private static @Nullable String problem(Message message) {
		Class<?> type = message.getClass();
		if (type != UserMessage.class && type != SystemMessage.class && type != AssistantMessage.class
				&& type != ToolResponseMessage.class) {
			// The models of some providers have messages that hold more.
			return "it holds a message of the type " + SafeText.name(type.getSimpleName());
		}
		if (message instanceof MediaContent content && !content.getMedia().isEmpty()) {
			return "it holds media";
		}
		return (message.getMetadata().containsKey(THINKING)) ? "it holds the signed reasoning of the model" : null;
	}

	static String write(List<? extends Message> messages, boolean returnDirect) {
		Map<String, Object> members = new LinkedHashMap<>();
		members.put("messages", messages.stream().map(ConversationJson::write).toList());
		members.put("returnDirect", returnDirect);
		return new String(StrictJson.write(members), StandardCharsets.US_ASCII);
	}

	private static Map<String, Object> write(Message message) {
		Map<String, Object> members = new LinkedHashMap<>();
		members.put("type", message.getMessageType().getValue());
		put(members, "text", message.getText());
		if (message instanceof AssistantMessage assistant) {
			members.put("calls", assistant.getToolCalls().stream().map(ConversationJson::write).toList());
		}
		if (message instanceof ToolResponseMessage tools) {
			members.put("replies", tools.getResponses().stream().map(ConversationJson::write).toList());
		}
		Map<String, Object> metadata = new LinkedHashMap<>();
		message.getMetadata().forEach((name, value) -> put(metadata, name, plain(value, MAX_DEPTH)));
		metadata.remove(AbstractMessage.MESSAGE_TYPE);
		if (!metadata.isEmpty()) {
			members.put("metadata", metadata);
		}
		return members;
	}

	private static Map<String, Object> write(AssistantMessage.ToolCall call) {
		Map<String, Object> members = new LinkedHashMap<>();
		put(members, "id", call.id());
		put(members, "type", call.type());
		put(members, "name", call.name());
		put(members, "arguments", call.arguments());
		return members;
	}

	private static Map<String, Object> write(ToolResponse reply) {
		Map<String, Object> members = new LinkedHashMap<>();
		put(members, "id", reply.id());
		put(members, "name", reply.name());
		put(members, "data", reply.responseData());
		return members;
	}

	private static void put(Map<String, Object> members, String name, @Nullable Object value) {
		if (value != null) {
			members.put(name, value);
		}
	}

	/** A value of metadata as it is written, or {@code null} if it is not kept. */
	private static @Nullable Object plain(@Nullable Object value, int depth) {
		if (value instanceof String || value instanceof Boolean || value instanceof Integer
				|| (value instanceof Double number && Double.isFinite(number))) {
			return value;
		}
		if (value instanceof byte[] bytes) {
			return Map.of("bytes", Base64.getEncoder().encodeToString(bytes));
		}
		if (depth == 0) {
			return null;
		}
		if (value instanceof List<?> list) {
			List<Object> plain = new ArrayList<>();
			for (Object element : list) {
				Object kept = plain(element, depth - 1);
				if (kept == null) {
					return null;
				}
				plain.add(kept);
			}
			return plain;
		}
		return (value instanceof Map<?, ?> map) ? plain(map, depth - 1) : null;
	}

	private static @Nullable Object plain(Map<?, ?> map, int depth) {
		Map<String, Object> plain = new LinkedHashMap<>();
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			Object kept = plain(entry.getValue(), depth);
			if (kept == null || !(entry.getKey() instanceof String name)) {
				return null;
			}
			plain.put(name, kept);
		}
		return Map.of("map", plain);
	}

	static Conversation read(String json) {
		try {
			Map<String, @Nullable Object> members = reader.readObject(json.getBytes(StandardCharsets.UTF_8));
			List<Message> messages = new ArrayList<>();
			for (Map<String, @Nullable Object> message : objects(members, "messages")) {
				messages.add(message(message));
			}
			return new Conversation(messages, Boolean.TRUE.equals(members.get("returnDirect")));
		}
		catch (InvalidJsonException | ClassCastException | IllegalArgumentException ex) {
			// Not the cause, which may quote the conversation.
			throw new IllegalStateException("The conversation that was kept cannot be read");
		}
	}

	private static Message message(Map<String, @Nullable Object> members) {
		String text = (String) members.get("text");
		Map<String, Object> metadata = new LinkedHashMap<>();
		if (members.get("metadata") instanceof Map<?, ?> written) {
			written.forEach((name, value) -> metadata.put((String) name, value(value)));
		}
		return switch (String.valueOf(members.get("type"))) {
			case "user" -> UserMessage.builder().text(Objects.requireNonNullElse(text, "")).metadata(metadata).build();
			case "system" ->
				SystemMessage.builder().text(Objects.requireNonNullElse(text, "")).metadata(metadata).build();
			case "assistant" -> AssistantMessage.builder()
				.content(text)
				.properties(metadata)
				.toolCalls(objects(members, "calls").stream().map(ConversationJson::call).toList())
				.build();
			case "tool" -> ToolResponseMessage.builder()
				.responses(objects(members, "replies").stream().map(ConversationJson::reply).toList())
				.metadata(metadata)
				.build();
			default -> throw new IllegalArgumentException("Not a type of a message");
		};
	}

	@SuppressWarnings("NullAway") // as the model wrote it
	private static AssistantMessage.ToolCall call(Map<String, @Nullable Object> members) {
		return new AssistantMessage.ToolCall((String) members.get("id"), (String) members.get("type"),
				(String) members.get("name"), (String) members.get("arguments"));
	}

	@SuppressWarnings("NullAway") // as it was written
	private static ToolResponse reply(Map<String, @Nullable Object> members) {
		return new ToolResponse((String) members.get("id"), (String) members.get("name"), (String) members.get("data"));
	}

	private static Object value(Object written) {
		if (written instanceof List<?> list) {
			return list.stream().map(ConversationJson::value).toList();
		}
		if (!(written instanceof Map<?, ?> tagged)) {
			return written;
		}
		if (tagged.get("bytes") instanceof String bytes) {
			return Base64.getDecoder().decode(bytes);
		}
		Map<String, Object> map = new LinkedHashMap<>();
		if (tagged.get("map") instanceof Map<?, ?> members) {
			members.forEach((name, value) -> map.put((String) name, value(value)));
		}
		return map;
	}

	private static List<Map<String, @Nullable Object>> objects(Map<String, @Nullable Object> members, String name) {
		if (!(members.get(name) instanceof List<?> list)) {
			throw new IllegalArgumentException("Not a list");
		}
		List<Map<String, @Nullable Object>> objects = new ArrayList<>();
		list.forEach((element) -> objects.add(StrictJson.object((Map<?, ?>) element)));
		return objects;
	}

	record Conversation(List<Message> messages, boolean returnDirect) {

		/** Nothing of what it says. */
		@Override
		public String toString() {
			return "Conversation[messages=%d]".formatted(this.messages.size());
		}

	}

}
