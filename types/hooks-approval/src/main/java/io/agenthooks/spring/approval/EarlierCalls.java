package io.agenthooks.spring.approval;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.toolcall.ToolCall;

/** The last tools of the last runs, to show them to people. */
final class EarlierCalls implements CallWatch {

	static final int MAX_CALLS = 20;

	static final int MAX_RUNS = 1000;

	private final Map<String, Deque<Earlier>> runs = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Deque<Earlier>> eldest) {
			return size() > MAX_RUNS;
		}

	};

	/** Models and runs are of no interest. */
	@Override
	public boolean needsHooks() {
		return true;
	}

	@Override
	public @Nullable WatchedCall begin(HookedCall call) {
		if (call instanceof ToolCall toolCall && toolCall.context().runId() != null) {
			remember(toolCall.context().runId(), new Earlier(toolCall.id(), SafeText.name(toolCall.tool())));
		}
		return null;
	}

	private void remember(String run, Earlier call) {
		synchronized (this.runs) {
			Deque<Earlier> calls = this.runs.computeIfAbsent(run, (absent) -> new ArrayDeque<>());
			calls.addLast(call);
			if (calls.size() > MAX_CALLS + 1) {
				calls.removeFirst();
			}
		}
	}

	List<String> before(ToolCall call) {
		List<String> names = new ArrayList<>();
		synchronized (this.runs) {
			Deque<Earlier> calls = (call.context().runId() != null) ? this.runs.get(call.context().runId()) : null;
			if (calls == null) {
				return List.of();
			}
			for (Earlier earlier : calls) {
				if (earlier.id().equals(call.id())) {
					break;
				}
				names.add(earlier.tool());
			}
		}
		return List.copyOf(names.subList(Math.max(0, names.size() - MAX_CALLS), names.size()));
	}

	private record Earlier(String id, String tool) {
	}

}
