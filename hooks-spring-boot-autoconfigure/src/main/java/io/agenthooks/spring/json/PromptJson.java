package io.agenthooks.spring.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmRole;

/**
 * The question to a model, as hooks outside of this process get to read it and may change
 * it. The messages of the application stay, whatever they say.
 *
 * @since 0.1.0
 */
public final class PromptJson {

	/** Gemini CLI's name of the role of the model. */
	private static final String MODEL = "model";

	/**
	 * Members of a request in some system, in small letters. Under any other name than
	 * that which is read they change nothing.
	 */
	private static final Set<String> MEANINGFUL = Set.of("model", "message", "messages", "contents", "prompt", "system",
			"systeminstruction", "config", "generationconfig", "options", "parameters", "tools");

	private PromptJson() {
	}

	public static List<Map<String, Object>> messagesOf(LlmCall call) {
		return messagesOf(call, LlmRole.ASSISTANT.value());
	}

	/**
	 * The messages of a call as Gemini CLI has them, where the model has another role.
	 * @param call the call
	 * @return an object for each, with {@code index}, {@code role} and {@code content}
	 */
	public static List<Map<String, Object>> geminiMessagesOf(LlmCall call) {
		return messagesOf(call, MODEL);
	}

	private static List<Map<String, Object>> messagesOf(LlmCall call, String ofModel) {
		List<Map<String, Object>> messages = new ArrayList<>(call.messages().size());
		for (LlmMessage said : call.messages()) {
			Map<String, Object> message = new LinkedHashMap<>();
			message.put("index", messages.size());
			message.put("role", (said.role() == LlmRole.ASSISTANT) ? ofModel : said.role().value());
			message.put("content", said.text());
			messages.add(message);
		}
		return messages;
	}

	/**
	 * The options of a call, as far as they are JSON.
	 * @param call the call
	 * @return the options by name
	 */
	public static Map<String, Object> optionsOf(LlmCall call) {
		Map<String, Object> options = new LinkedHashMap<>(call.options());
		options.values().removeIf((value) -> !StrictJson.isJson(value));
		return options;
	}

	/**
	 * A call with the messages that came back. One that names its index is that message
	 * with another text, and keeps what was not sent, such as images; so does one that is
	 * as it was, and one at its own place among as many messages of the same roles, if
	 * none has moved. Any other is new.
	 * @param call the call
	 * @param written the messages
	 * @return the changed call
	 * @throws InvalidJsonException if they cannot be messages
	 */
	public static LlmCall withMessages(LlmCall call, List<?> written) {
		List<Written> messages = written.stream().map(Written::of).toList();
		List<LlmMessage> originals = call.messages();
		Map<String, Map<String, LlmMessage>> said = new HashMap<>();
		originals.forEach((original) -> said.computeIfAbsent(original.role().value(), (role) -> new HashMap<>())
			.putIfAbsent(original.text(), original));
		List<LlmMessage> changed = new ArrayList<>();
		if (isInPlace(messages, originals, said)) {
			for (LlmMessage original : originals) {
				changed.add((original.role() == LlmRole.SYSTEM) ? original
						: original.withText(messages.get(changed.size()).content()));
			}
		}
		else {
			originals.stream().filter((message) -> message.role() == LlmRole.SYSTEM).forEach(changed::add);
			messages.stream()
				.filter((message) -> !message.isOf(LlmRole.SYSTEM))
				.forEach((message) -> changed.add(message.toMessage(originals, said)));
		}
		return call.withMessages(changed);
	}

	private static boolean isInPlace(List<Written> messages, List<LlmMessage> originals,
			Map<String, Map<String, LlmMessage>> said) {
		if (messages.size() != originals.size()) {
			return false;
		}
		for (int i = 0; i < messages.size(); i++) {
			Object index = messages.get(i).index();
			if (!messages.get(i).isOf(originals.get(i).role()) || !(index == null || index.equals(i))
					|| hasMoved(messages.get(i), originals.get(i), said)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Then the other message was taken out, perhaps because of its image, and what it
	 * holds must not come with this text.
	 */
	private static boolean hasMoved(Written message, LlmMessage original, Map<String, Map<String, LlmMessage>> said) {
		return !original.text().equals(message.content()) && message.firstOf(said) != null;
	}

	/**
	 * A call as a whole request that came back wants it. What is missing there stays as
	 * it was.
	 * @param call the call
	 * @param request the request, with {@code model}, {@code messages} and options
	 * @param options the name that options have in it
	 * @param ignored is told what the request wants to change and cannot
	 * @return the changed call, which equals the call if nothing is changed
	 * @throws InvalidJsonException if it cannot be a request
	 */
	public static LlmCall withRequest(LlmCall call, Map<String, @Nullable Object> request, String options,
			Consumer<String> ignored) {
		List<String> understood = List.of(MODEL, "messages", options, "tools");
		if (request.keySet()
			.stream()
			.anyMatch((name) -> !understood.contains(name)
					&& MEANINGFUL.contains(name.replace("_", "").toLowerCase(Locale.ROOT)))) {
			throw new InvalidJsonException(
					"has a request with something that is not one of " + String.join(", ", understood));
		}
		LlmCall changed = call;
		Object messages = request.get("messages");
		if (messages != null) {
			List<?> written = listOf(messages, "messages");
			changed = withMessages(call, written);
			if (!keepsSystemMessages(call, written)) {
				ignored.accept("messages of the application");
			}
		}
		Object model = request.get(MODEL);
		if (model != null && !(model instanceof String)) {
			throw new InvalidJsonException("has a model that is not a string");
		}
		if (model instanceof String name && !name.isBlank()) {
			changed = changed.withModel(name);
		}
		Object settings = request.get(options);
		if (settings != null) {
			changed = withOptions(changed, settings, options);
		}
		Object tools = request.get("tools");
		if (tools != null && !namesOf(listOf(tools, "tools")).equals(call.tools())) {
			ignored.accept("tools");
		}
		return changed;
	}

	private static LlmCall withOptions(LlmCall call, Object written, String name) {
		if (!(written instanceof Map<?, ?> settings)) {
			throw new InvalidJsonException("has " + name + " that are not an object");
		}
		Map<String, Object> options = new LinkedHashMap<>(call.options());
		StrictJson.object(settings).forEach((option, value) -> {
			if (value != null) {
				options.put(option, (value instanceof List<?> list) ? Collections.unmodifiableList(list) : value);
			}
		});
		return call.withOptions(options);
	}

	private static boolean keepsSystemMessages(LlmCall call, List<?> written) {
		List<String> before = call.messages()
			.stream()
			.filter((message) -> message.role() == LlmRole.SYSTEM)
			.map(LlmMessage::text)
			.toList();
		List<String> after = written.stream()
			.map(Written::of)
			.filter((message) -> message.isOf(LlmRole.SYSTEM))
			.map(Written::content)
			.toList();
		return after.equals(before);
	}

	private static List<@Nullable Object> namesOf(List<?> tools) {
		List<@Nullable Object> names = new ArrayList<>();
		for (Object tool : tools) {
			names.add((tool instanceof Map<?, ?> members && members.get("function") instanceof Map<?, ?> function)
					? function.get("name") : null);
		}
		return names;
	}

	private static List<?> listOf(Object value, String name) {
		if (!(value instanceof List<?> list)) {
			throw new InvalidJsonException("has " + name + " that are not a list");
		}
		return list;
	}

	/** The index is {@code null} and the role empty if it does not say. */
	private record Written(@Nullable Object index, String role, String content) {

		static Written of(@Nullable Object message) {
			if (!(message instanceof Map<?, ?> members)) {
				throw new InvalidJsonException("has a message that is not an object");
			}
			String role = text(members, "role");
			if (members.get("content") == null && !role.equals(LlmRole.ASSISTANT.value())) {
				throw new InvalidJsonException("has a message without content");
			}
			return new Written(members.get("index"), (role.equals(MODEL)) ? LlmRole.ASSISTANT.value() : role,
					text(members, "content"));
		}

		private static String text(Map<?, ?> members, String name) {
			Object value = members.get(name);
			if (!(value == null || value instanceof String)) {
				throw new InvalidJsonException("has a " + name + " that is not a string");
			}
			return Objects.requireNonNullElse((String) value, "");
		}

		boolean isOf(LlmRole role) {
			return role.value().equals(this.role);
		}

		@Nullable LlmMessage firstOf(Map<String, Map<String, LlmMessage>> said) {
			return said.getOrDefault(this.role, Map.of()).get(this.content);
		}

		LlmMessage toMessage(List<LlmMessage> originals, Map<String, Map<String, LlmMessage>> said) {
			if (this.index != null) {
				if (!(this.index instanceof Integer position) || position < 0 || position >= originals.size()
						|| !isOf(originals.get(position).role())) {
					throw new InvalidJsonException(
							"has a message whose index is not that of a message of the same role");
				}
				return originals.get(position).withText(this.content);
			}
			LlmMessage same = firstOf(said);
			return (same != null) ? same : newMessage();
		}

		private LlmMessage newMessage() {
			return switch (this.role) {
				case "user" -> LlmMessage.user(this.content);
				case "assistant" -> LlmMessage.assistant(this.content);
				default -> throw new InvalidJsonException("has a new message whose role is neither user nor assistant");
			};
		}

	}

}
