package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.ChatMemory;
import org.jspecify.annotations.Nullable;

/** Gives each call of a tool in a memory one result: providers refuse others. */
final class Conversations {

	private Conversations() {
	}

	/**
	 * Add the missing results of the last calls. A memory without room for all forgets
	 * the calls, and must not have results of unknown calls.
	 */
	static void complete(ChatMemory memory, List<ToolExecutionResultMessage> known, String text) {
		List<ChatMessage> messages = memory.messages();
		int answer = KeptTurn.lastCalls(messages);
		if (answer < 0 || resultsBehind(messages, answer).size() != messages.size() - answer - 1) {
			return;
		}
		List<ToolExecutionResultMessage> there = new ArrayList<>(resultsBehind(messages, answer));
		List<ToolExecutionResultMessage> left = new ArrayList<>(known);
		for (ToolExecutionRequest request : ((AiMessage) messages.get(answer)).toolExecutionRequests()) {
			if (take(there, request) == null) {
				if (KeptTurn.lastCalls(memory.messages()) < 0) {
					return;
				}
				ToolExecutionResultMessage result = take(left, request);
				memory.add((result != null) ? result
						: ToolExecutionResultMessage.builder()
							.id(request.id())
							.toolName(request.name())
							.text(text)
							.isError(true)
							.build());
			}
		}
	}

	private static @Nullable ToolExecutionResultMessage take(List<ToolExecutionResultMessage> results,
			ToolExecutionRequest request) {
		for (ToolExecutionResultMessage result : results) {
			if (Objects.equals(result.id(), request.id()) && Objects.equals(result.toolName(), request.name())) {
				results.remove(result);
				return result;
			}
		}
		return null;
	}

	/** The new results have the order of those when the turn was kept. */
	static boolean replace(ChatMemory memory, KeptTurn turn, List<ToolExecutionResultMessage> results) {
		List<ChatMessage> messages = new ArrayList<>(memory.messages());
		int place = placeOf(turn, messages, results);
		if (place < 0) {
			return false;
		}
		for (int result = 0; result < results.size(); result++) {
			messages.set(place + 1 + result, results.get(result));
		}
		memory.set(messages);
		return true;
	}

	static boolean has(ChatMemory memory, KeptTurn turn, List<ToolExecutionResultMessage> results) {
		return placeOf(turn, memory.messages(), results) >= 0;
	}

	private static int placeOf(KeptTurn turn, List<ChatMessage> messages, List<ToolExecutionResultMessage> results) {
		for (int i = messages.size() - 1; i >= 0; i--) {
			if (isAt(i, messages, turn, results)) {
				return i;
			}
		}
		return -1;
	}

	/** Ids of calls may come again in other turns, the texts of waiting calls do not. */
	private static boolean isAt(int place, List<ChatMessage> messages, KeptTurn turn,
			List<ToolExecutionResultMessage> results) {
		if (!(messages.get(place) instanceof AiMessage answer)
				|| !answer.toolExecutionRequests().equals(turn.answer().toolExecutionRequests())) {
			return false;
		}
		List<ToolExecutionResultMessage> there = resultsBehind(messages, place);
		if (there.size() != results.size()) {
			return false;
		}
		for (int i = 0; i < results.size(); i++) {
			String text = ChatMessages.textOf(there.get(i).contents());
			if (!text.equals(ChatMessages.textOf(turn.results().get(i).contents()))
					&& !text.equals(ChatMessages.textOf(results.get(i).contents()))) {
				return false;
			}
		}
		return true;
	}

	private static List<ToolExecutionResultMessage> resultsBehind(List<ChatMessage> messages, int answer) {
		return messages.subList(answer + 1, messages.size())
			.stream()
			.takeWhile(ToolExecutionResultMessage.class::isInstance)
			.map(ToolExecutionResultMessage.class::cast)
			.toList();
	}

}
