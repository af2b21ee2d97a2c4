package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a hook remembers of calls from when it lets them pass until they end. The id of a
 * call is that of no other, but a program that makes calls itself may see to that badly;
 * so each pass is remembered by itself, and calls of one id are told apart by their
 * threads, on which they stay.
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
	synchronized void add(String id, T what) {
		this.calls.computeIfAbsent(id, (same) -> new ArrayList<>(1)).add(new Open<>(Thread.currentThread(), what));
	}

	/**
	 * What is remembered of a call of this thread that has not ended, or {@code null}.
	 */
	synchronized @Nullable T find(String id) {
		List<Open<T>> open = this.calls.get(id);
		int index = (open != null) ? indexOfThisThread(open) : -1;
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
	synchronized @Nullable T remove(String id) {
		List<Open<T>> open = this.calls.get(id);
		if (open == null) {
			return null;
		}
		// One whose end was told on another thread, as by a bound of time, has ended too.
		Open<T> ended = open.remove(Math.max(0, indexOfThisThread(open)));
		if (open.isEmpty()) {
			this.calls.remove(id);
		}
		return ended.what();
	}

	private static <T> int indexOfThisThread(List<Open<T>> open) {
		int index = open.size() - 1;
		while (index >= 0 && !open.get(index).thread().equals(Thread.currentThread())) {
			index--;
		}
		return index;
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
	 * @param what what is remembered
	 */
	private record Open<T>(Thread thread, T what) {
	}

}
