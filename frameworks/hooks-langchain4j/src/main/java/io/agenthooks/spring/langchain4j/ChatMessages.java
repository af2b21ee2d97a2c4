package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import org.jspecify.annotations.Nullable;

import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmRole;
import io.agenthooks.spring.caller.GivenTexts;
import io.agenthooks.toolcall.ToolIdentity;

/** Translates messages to hooks, which see their texts, and back. */
final class ChatMessages {

	private ChatMessages() {
	}

	static LlmMessage forHooks(ChatMessage message) {
		if (message instanceof SystemMessage system) {
			return new LlmMessage(LlmRole.SYSTEM, system.text(), message);
		}
		if (message instanceof UserMessage user) {
			return new LlmMessage(LlmRole.USER, textOf(user.contents()), message);
		}
		if (message instanceof AiMessage answer) {
			return new LlmMessage(LlmRole.ASSISTANT, orEmpty(answer.text()), message);
		}
		if (message instanceof ToolExecutionResultMessage result) {
			return new LlmMessage(LlmRole.TOOL, textOf(result.contents()), message);
		}
		// Messages that only some model knows. Better ugly than unseen.
		return new LlmMessage(LlmRole.USER, message.toString(), message);
	}

	/**
	 * If the texts of the user are {@code null}, each message of a user is the user's.
	 */
	static List<Turn> turns(List<ChatMessage> messages, Map<String, ToolIdentity> tools, @Nullable GivenTexts given) {
		List<Turn> turns = new ArrayList<>(messages.size());
		List<String> texts = usersTexts(messages);
		Iterator<List<Turn>> users = ((given != null) ? given.read(texts)
				: texts.stream().map((text) -> List.of(Turn.user(text))).toList())
			.iterator();
		for (ChatMessage message : messages) {
			if (message instanceof UserMessage) {
				turns.addAll(users.next());
			}
			else if (message instanceof ToolExecutionResultMessage result) {
				ToolIdentity tool = tools.get(result.toolName());
				turns.add(Turn.result(
						(tool != null) ? tool : new ToolIdentity(null, result.toolName(), result.toolName()),
						textOf(result.contents())));
			}
			else if (!(message instanceof SystemMessage)) {
				turns.add(Turn.model());
			}
		}
		return turns;
	}

	static List<String> usersTexts(List<ChatMessage> messages) {
		return messages.stream()
			.filter(UserMessage.class::isInstance)
			.map((message) -> textOf(((UserMessage) message).contents()))
			.toList();
	}

	static ChatMessage fromHooks(LlmMessage message) {
		if (message.source() instanceof ChatMessage source && forHooks(source).role() == message.role()) {
			return withText(source, message.text());
		}
		return switch (message.role()) {
			case SYSTEM -> SystemMessage.from(message.text());
			case USER -> UserMessage.from(message.text());
			case ASSISTANT -> AiMessage.from(message.text());
			case TOOL ->
				throw new IllegalStateException("A hook wrote the result of a tool into a prompt, which no hook can");
		};
	}

	/** Several texts become one, where the first was. */
	static ChatMessage withText(ChatMessage message, String text) {
		if (forHooks(message).text().equals(text)) {
			return message;
		}
		if (message instanceof SystemMessage) {
			return SystemMessage.from(text);
		}
		if (message instanceof UserMessage user) {
			return user.toBuilder().contents(withText(user.contents(), text)).build();
		}
		if (message instanceof AiMessage answer) {
			return withText(answer, text);
		}
		if (message instanceof ToolExecutionResultMessage result) {
			return result.toBuilder().contents(withText(result.contents(), text)).build();
		}
		throw new IllegalStateException("A hook changed a message of a kind that has no text");
	}

	/**
	 * Thoughts and remarks of the provider may repeat the text, so they are left out.
	 * Signatures stay, without which some models do not go on: nobody can read those.
	 */
	static AiMessage withText(AiMessage answer, String text) {
		Map<String, Object> attributes = new HashMap<>(answer.attributes());
		attributes.keySet()
			.removeIf((name) -> !name.equals(AiMessage.GENERATED_IMAGES_KEY) && !name.contains("signature")
					&& !name.contains("encrypted"));
		return answer.toBuilder().text(text).thinking(null).attributes(attributes).build();
	}

	private static List<Content> withText(List<Content> contents, String text) {
		List<Content> changed = new ArrayList<>(contents);
		int first = contents.indexOf(contents.stream().filter(TextContent.class::isInstance).findFirst().orElse(null));
		changed.removeIf(TextContent.class::isInstance);
		changed.add((first >= 0) ? first : changed.size(), TextContent.from(text));
		return changed;
	}

	static ToolExecutionResultMessage ofResult(ToolExecutionRequest request, ToolExecutionResult result) {
		return ToolExecutionResultMessage.builder()
			.id(request.id())
			.toolName(request.name())
			.contents(result.resultContents())
			.isError(result.isError())
			.attributes(result.attributes())
			.build();
	}

	static String textOf(List<Content> contents) {
		return contents.stream()
			.filter(TextContent.class::isInstance)
			.map((content) -> ((TextContent) content).text())
			.collect(Collectors.joining("\n"));
	}

	static String orEmpty(@Nullable String text) {
		return (text != null) ? text : "";
	}

}
