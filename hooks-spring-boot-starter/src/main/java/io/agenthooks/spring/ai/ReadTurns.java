package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;

import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * What a model read, as rules on the flow of data see it.
 */
final class ReadTurns {

	private ReadTurns() {
	}

	/**
	 * The turns of a prompt.
	 * @param identities tells which tool has a name
	 */
	static List<Turn> of(List<Message> messages, Function<String, ToolIdentity> identities) {
		Map<String, ToolIdentity> known = new HashMap<>();
		List<Turn> turns = new ArrayList<>(messages.size());
		for (Message message : messages) {
			if (message instanceof UserMessage user) {
				turns.add(Turn.user(Objects.requireNonNullElse(user.getText(), "")));
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

}
