package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.agenthooks.toolcall.ToolCall;

/**
 * The calls of this node that wait for people, by the id of their question.
 */
final class WaitingCalls {

	private final Map<String, List<ToolCall>> calls = new ConcurrentHashMap<>();

	void add(String question, ToolCall call) {
		this.calls.merge(question, List.of(call), (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
	}

	/**
	 * No longer wait.
	 * @return whether no other call waits for the same answer
	 */
	boolean remove(String question, ToolCall call) {
		return this.calls.computeIfPresent(question, (same, some) -> {
			List<ToolCall> others = some.stream().filter((each) -> !each.id().equals(call.id())).toList();
			return (others.isEmpty()) ? null : others;
		}) == null;
	}

	/**
	 * The calls that wait for an answer, with all that is known of them.
	 * @return none if they do so on another node
	 */
	List<ToolCall> of(String question) {
		return this.calls.getOrDefault(question, List.of());
	}

}
