package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.stream.Stream;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.ToolExecutionResultMessage;

/**
 * A turn of an AI service as it is kept while people decide about calls of it.
 *
 * @param results what came of the calls until the turn ended, in the order in which the
 * model reads it
 */
record KeptTurn(List<ChatMessage> before, AiMessage answer, List<ToolExecutionResultMessage> results) {

	static final String FORMAT = "langchain4j";

	KeptTurn {
		before = List.copyOf(before);
		results = List.copyOf(results);
	}

	/** The last message with calls, and the results behind it. */
	static KeptTurn of(List<ChatMessage> messages) {
		int answer = lastCalls(messages);
		if (answer < 0) {
			throw new IllegalStateException("There is no message with calls of tools");
		}
		List<ChatMessage> behind = messages.subList(answer + 1, messages.size());
		if (!behind.stream().allMatch(ToolExecutionResultMessage.class::isInstance)) {
			throw new IllegalStateException("There is more than results behind the calls of tools");
		}
		return new KeptTurn(messages.subList(0, answer), (AiMessage) messages.get(answer),
				behind.stream().map(ToolExecutionResultMessage.class::cast).toList());
	}

	/** The place, or -1. */
	static int lastCalls(List<ChatMessage> messages) {
		for (int i = messages.size() - 1; i >= 0; i--) {
			if (messages.get(i) instanceof AiMessage message && message.hasToolExecutionRequests()) {
				return i;
			}
		}
		return -1;
	}

	List<ChatMessage> messages() {
		return Stream.<List<? extends ChatMessage>>of(this.before, List.of(this.answer), this.results)
			.<ChatMessage>flatMap(List::stream)
			.toList();
	}

	String write() {
		return write(messages());
	}

	static String write(List<ChatMessage> messages) {
		try {
			String json = ChatMessageSerializer.messagesToJson(messages);
			if (ChatMessageDeserializer.messagesFromJson(json).equals(messages)) {
				return json;
			}
		}
		catch (RuntimeException ex) {
			// Its text may quote what was said.
			throw new UnkeptTurnException("a message of the conversation cannot be written as JSON");
		}
		throw new UnkeptTurnException("a message of the conversation has something that JSON does not tell exactly");
	}

	static KeptTurn read(String json) {
		try {
			return of(ChatMessageDeserializer.messagesFromJson(json));
		}
		catch (RuntimeException ex) {
			// Without the cause, whose text may quote what was said.
			throw new IllegalStateException("The turn that was kept cannot be read");
		}
	}

	/** Nothing of what was said. */
	@Override
	public String toString() {
		return "KeptTurn[results=" + this.results.size() + "]";
	}

}
