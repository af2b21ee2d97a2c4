package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * What a hook remembers of calls from when it lets them pass until they end. The id of a
 * call is that of no other, but a program that makes calls itself may see to that badly;
 * so each pass is remembered by itself, and calls of one id are told apart by their
 * threads, on which they stay, and by their contexts and tools, which no hook changes. Of
 * those that have all of this in common one is inside of the other, so the last one ends
 * first.
 *
 * @param <T> what is remembered
 */
final class OpenCalls<T> {

	/** What was abandoned without an end, as by a thread that died, must not pile up. */
	static final int MAX = 100_000;

	private final Map<String, List<Open<T>>> calls = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, List<Open<T>>> eldest) {
			return size() > MAX;
		}

	};

	/**
	 * Remember something of a call that goes on.
	 */
	synchronized void add(ToolCall call, T what) {
		List<Open<T>> open = this.calls.computeIfAbsent(call.id(), (same) -> new ArrayList<>(1));
		int index = indexOf(call, open);
		if (index >= 0 && open.get(index).what() == null) {
			open.remove(index);
		}
		open.add(new Open<>(Thread.currentThread(), call.context(), call.identity(), what));
	}

	/**
	 * Know that there is nothing to remember of a call, so that its end is not taken for
	 * that of another one with its id.
	 */
	synchronized void addNothing(ToolCall call) {
		List<Open<T>> open = this.calls.get(call.id());
		int index = (open != null) ? indexOf(call, open) : -1;
		if (open != null && index >= 0 && open.get(index).what() != null) {
			open.add(new Open<>(Thread.currentThread(), call.context(), call.identity(), null));
		}
	}

	/**
	 * What is remembered of a call of this thread that has not ended, or {@code null}.
	 */
	synchronized @Nullable T find(ToolCall call) {
		List<Open<T>> open = this.calls.get(call.id());
		int index = (open != null) ? indexOf(call, open) : -1;
		return (open != null && index >= 0) ? open.get(index).what() : null;
	}

	/**
	 * Whether a call goes on, on whatever thread.
	 */
	synchronized boolean contains(String id) {
		return this.calls.containsKey(id);
	}

	/**
	 * Forget a call that has ended.
	 * @return what was remembered, which nobody else gets, or {@code null} if nothing was
	 */
	synchronized @Nullable T remove(ToolCall call) {
		List<Open<T>> open = this.calls.get(call.id());
		int index = (open != null) ? indexOf(call, open) : -1;
		if (open == null || index < 0) {
			return null;
		}
		Open<T> ended = open.remove(index);
		if (open.isEmpty()) {
			this.calls.remove(call.id());
		}
		return ended.what();
	}

	@SuppressWarnings("ReferenceEquality") // another call's context may equal it
	private static <T> int indexOf(ToolCall call, List<Open<T>> open) {
		for (int i = open.size() - 1; i >= 0; i--) {
			Open<T> one = open.get(i);
			if (one.thread().equals(Thread.currentThread()) && one.context() == call.context()
					&& one.identity().equals(call.identity())) {
				return i;
			}
		}
		return -1;
	}

	/**
	 * How many calls go on.
	 */
	synchronized int size() {
		return this.calls.values().stream().mapToInt(List::size).sum();
	}

	/**
	 * A call that goes on.
	 *
	 * @param thread its thread
	 * @param context its context
	 * @param identity its tool
	 * @param what what is remembered, or {@code null} if nothing is
	 */
	private record Open<T>(Thread thread, CallContext context, ToolIdentity identity, @Nullable T what) {
	}

}
