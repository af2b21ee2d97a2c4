package io.agenthooks.spring.limit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCall;

/**
 * What a hook remembers of model calls from when it lets them pass until they end, on
 * whatever thread. The id of a call is that of no other; a program that gives one twice
 * gets back what was remembered last.
 *
 * @param <T> what is remembered
 */
final class OpenLlmCalls<T> {

	/** More than run at the same time. */
	static final int MAX = 100_000;

	private final Map<String, Deque<T>> calls = new HashMap<>();

	private int size;

	/**
	 * Remember something of a call that goes on.
	 * @return whether there was room for it
	 */
	synchronized boolean add(LlmCall call, T what) {
		if (this.size >= MAX) {
			return false;
		}
		this.size++;
		this.calls.computeIfAbsent(call.id(), (id) -> new ArrayDeque<>(1)).push(what);
		return true;
	}

	/**
	 * Forget a call that has ended.
	 * @return what was remembered, which nobody else gets, or {@code null} if nothing was
	 */
	synchronized @Nullable T remove(LlmCall call) {
		Deque<T> open = this.calls.get(call.id());
		if (open == null) {
			return null;
		}
		T last = open.pop();
		if (open.isEmpty()) {
			this.calls.remove(call.id());
		}
		this.size--;
		return last;
	}

	/**
	 * How many calls go on.
	 */
	synchronized int size() {
		return this.size;
	}

}
