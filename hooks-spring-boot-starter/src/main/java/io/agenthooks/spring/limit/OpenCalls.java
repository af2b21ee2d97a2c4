package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
 * <p>
 * Calls are kept in groups, by their ids, so that those of many threads seldom wait for
 * each other.
 *
 * @param <T> what is remembered
 */
final class OpenCalls<T> {

	/** What was abandoned without an end, as by a thread that died, must not pile up. */
	static final int MAX = 100_000;

	private static final int GROUPS = 64;

	private final List<Group<T>> groups = Stream.generate(Group<T>::new).limit(GROUPS).toList();

	private Group<T> groupOf(String id) {
		int hash = id.hashCode();
		return this.groups.get((hash ^ (hash >>> 16)) & (GROUPS - 1));
	}

	/**
	 * Remember something of a call that goes on.
	 */
	void add(ToolCall call, T what) {
		groupOf(call.id()).add(call, what);
	}

	/**
	 * Know that there is nothing to remember of a call, so that its end is not taken for
	 * that of another one with its id.
	 */
	void addNothing(ToolCall call) {
		groupOf(call.id()).addNothing(call);
	}

	/**
	 * What is remembered of a call of this thread that has not ended, or {@code null}.
	 */
	@Nullable T find(ToolCall call) {
		return groupOf(call.id()).find(call);
	}

	/**
	 * Whether a call goes on, on whatever thread.
	 */
	boolean contains(String id) {
		return groupOf(id).contains(id);
	}

	/**
	 * Forget a call that has ended.
	 * @return what was remembered, which nobody else gets, or {@code null} if nothing was
	 */
	@Nullable T remove(ToolCall call) {
		return groupOf(call.id()).remove(call);
	}

	/**
	 * How many calls go on.
	 */
	int size() {
		return this.groups.stream().mapToInt(Group::size).sum();
	}

	/**
	 * Some of the calls, all that have one of these ids.
	 */
	private static final class Group<T> {

		/** Of each id the latest, which knows the one before. */
		private final Map<String, Open<T>> calls = new LinkedHashMap<>() {

			@Override
			protected boolean removeEldestEntry(Map.Entry<String, Open<T>> eldest) {
				return size() > MAX / GROUPS;
			}

		};

		synchronized void add(ToolCall call, T what) {
			Open<T> latest = this.calls.get(call.id());
			Open<T> own = Open.find(latest, call);
			Open<T> before = (own != null && own.what() == null) ? Open.without(latest, own) : latest;
			this.calls.put(call.id(), Open.of(call, what, before));
		}

		synchronized void addNothing(ToolCall call) {
			Open<T> latest = this.calls.get(call.id());
			Open<T> own = Open.find(latest, call);
			if (own != null && own.what() != null) {
				this.calls.put(call.id(), Open.of(call, null, latest));
			}
		}

		synchronized @Nullable T find(ToolCall call) {
			Open<T> own = Open.find(this.calls.get(call.id()), call);
			return (own != null) ? own.what() : null;
		}

		synchronized boolean contains(String id) {
			return this.calls.containsKey(id);
		}

		synchronized @Nullable T remove(ToolCall call) {
			Open<T> latest = this.calls.get(call.id());
			Open<T> ended = Open.find(latest, call);
			if (ended == null) {
				return null;
			}
			Open<T> rest = Open.without(latest, ended);
			if (rest != null) {
				this.calls.put(call.id(), rest);
			}
			else {
				this.calls.remove(call.id());
			}
			return ended.what();
		}

		synchronized int size() {
			int size = 0;
			for (Open<T> latest : this.calls.values()) {
				for (Open<T> one = latest; one != null; one = one.before()) {
					size++;
				}
			}
			return size;
		}

	}

	/**
	 * A call that goes on.
	 *
	 * @param thread its thread
	 * @param context its context
	 * @param identity its tool
	 * @param what what is remembered, or {@code null} if nothing is
	 * @param before the call of the same id that began before it, or {@code null}
	 */
	private record Open<T>(Thread thread, CallContext context, ToolIdentity identity, @Nullable T what,
			@Nullable Open<T> before) {

		static <T> Open<T> of(ToolCall call, @Nullable T what, @Nullable Open<T> before) {
			return new Open<>(Thread.currentThread(), call.context(), call.identity(), what, before);
		}

		@SuppressWarnings("ReferenceEquality") // another call's context may equal it
		static <T> @Nullable Open<T> find(@Nullable Open<T> latest, ToolCall call) {
			for (Open<T> one = latest; one != null; one = one.before()) {
				if (one.thread().equals(Thread.currentThread()) && one.context() == call.context()
						&& one.identity().equals(call.identity())) {
					return one;
				}
			}
			return null;
		}

		/**
		 * All of them but one, in their order.
		 */
		@SuppressWarnings("ReferenceEquality") // each pass is remembered by itself
		static <T> @Nullable Open<T> without(@Nullable Open<T> latest, Open<T> ended) {
			List<Open<T>> later = new ArrayList<>(0);
			Open<T> one = latest;
			while (one != null && one != ended) {
				later.add(one);
				one = one.before();
			}
			Open<T> rest = ended.before();
			for (int i = later.size() - 1; i >= 0; i--) {
				Open<T> kept = later.get(i);
				rest = new Open<>(kept.thread(), kept.context(), kept.identity(), kept.what(), rest);
			}
			return rest;
		}

	}

}
