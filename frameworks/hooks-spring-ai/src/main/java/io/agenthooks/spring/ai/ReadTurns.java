package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;

import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.toolcall.ToolIdentity;

/** The turns that a model read, for rules on the flow of data. */
final class ReadTurns {

	private ReadTurns() {
	}

	/** If no run of the client is known, each message of a user is the user's. */
	static List<Turn> of(List<Message> messages, Function<String, ToolIdentity> identities, @Nullable ClientRun run) {
		Map<String, ToolIdentity> known = new HashMap<>();
		List<Turn> turns = new ArrayList<>(messages.size());
		List<String> texts = usersTexts(messages);
		Iterator<List<Turn>> users = usersTurns(texts, run).iterator();
		if (run != null) {
			turns.addAll(run.texts().readBeside(texts));
		}
		for (Message message : messages) {
			if (message instanceof UserMessage) {
				turns.addAll(users.next());
			}
			else if (message instanceof AssistantMessage) {
				turns.add(Turn.model());
			}
			else if (message instanceof ToolResponseMessage results) {
				results.getResponses()
					.forEach((result) -> turns.add(Turn.result(known.computeIfAbsent(result.name(), identities),
							Objects.requireNonNullElse(result.responseData(), ""))));
			}
		}
		return turns;
	}

	private static List<List<Turn>> usersTurns(List<String> texts, @Nullable ClientRun run) {
		return (run != null) ? run.texts().given().read(texts)
				: texts.stream().map((text) -> List.of(Turn.user(text))).toList();
	}

	static boolean hasEarlierTurns(List<Message> messages) {
		boolean answered = false;
		for (Message message : messages) {
			if (answered && message instanceof UserMessage) {
				return true;
			}
			answered = answered || message instanceof AssistantMessage;
		}
		return false;
	}

	static List<String> usersTexts(List<Message> messages) {
		return messages.stream()
			.filter(UserMessage.class::isInstance)
			.map((message) -> Objects.requireNonNullElse(message.getText(), ""))
			.toList();
	}

}
