package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.agenthooks.toolcall.ToolCall;

final class WaitingCalls {

	private final Map<String, List<ToolCall>> calls = new ConcurrentHashMap<>();

	private final Set<String> own = ConcurrentHashMap.newKeySet();

	void add(String question, ToolCall call, boolean isAsker) {
		if (isAsker) {
			this.own.add(question);
		}
		this.calls.merge(question, List.of(call), (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
	}

	boolean remove(String question, ToolCall call) {
		boolean isLast = this.calls.computeIfPresent(question, (same, some) -> {
			List<ToolCall> others = some.stream().filter((each) -> !each.id().equals(call.id())).toList();
			return (others.isEmpty()) ? null : others;
		}) == null;
		return isLast && this.own.remove(question);
	}

	List<ToolCall> of(String question) {
		return this.calls.getOrDefault(question, List.of());
	}

}
