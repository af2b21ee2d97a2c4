package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.chain.Nesting;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * What a hook remembers of calls from when it lets them pass until they end. The id of a
 * call is that of no other, but a program that makes calls itself may see to that badly;
 * so each pass is remembered by itself, and calls of one id are told apart by their
 * threads, on which they stay, by their contexts and tools, which no hook changes, and by
 * how deep they are inside of other calls.
 * <p>
 * Most calls have a slot to themselves, by the hash of their ids, which they take and
 * give up without a lock. Those that find it taken are kept in groups, each of which has
 * a lock. While a group has any calls, all that begin join theirs there, so of the calls
 * of one id that of a slot is the oldest.
 *
 * @param <T> what is remembered
 */
final class OpenCalls<T> {

	/**
	 * What was abandoned without an end, as by a thread that died, must not pile up. From
	 * so many calls on, those of such threads are looked for. All others may still run,
	 * and to forget one gives its place to nobody, or to too many; so only of twice as
	 * many the oldest is forgotten.
	 */
	static final int MAX = 100_000;

	private static final int GROUPS = 64;

	private static final int SLOTS = 16 * GROUPS;

	private final AtomicReferenceArray<@Nullable Open<T>> slots = new AtomicReferenceArray<>(SLOTS);

	/** How many calls are in groups. */
	private final AtomicInteger grouped = new AtomicInteger();

	private final AtomicInteger nextSearch = new AtomicInteger(MAX);

	private final List<Group<T>> groups = Stream.generate(() -> new Group<T>(this.grouped)).limit(GROUPS).toList();

	private static int slotOf(String id) {
		int hash = id.hashCode();
		return (hash ^ (hash >>> 16)) & (SLOTS - 1);
	}

	private Group<T> groupOf(int slot) {
		return this.groups.get(slot & (GROUPS - 1));
	}

	/**
	 * Remember something of a call that goes on.
	 */
	void add(ToolCall call, T what) {
		int slot = slotOf(call.id());
		Group<T> group = groupOf(slot);
		if (!group.isEmpty() || !takeSlot(slot, Open.of(call, what, null))) {
			group.add(call, what);
			if (this.grouped.get() > MAX) {
				makeRoom(group);
			}
		}
	}

	private void makeRoom(Group<T> own) {
		int limit = this.nextSearch.get();
		if (this.grouped.get() > limit && this.nextSearch.compareAndSet(limit, Integer.MAX_VALUE)) {
			this.groups.forEach(Group::removeDead);
			// Not for each call, if most are alive.
			this.nextSearch.set(Math.max(MAX, this.grouped.get() + MAX / 10));
		}
		if (this.grouped.get() > 2 * MAX) {
			own.removeOldest();
		}
	}

	/**
	 * Take a slot that nobody has, or only a thread that has died.
	 */
	private boolean takeSlot(int slot, Open<T> open) {
		Open<T> taken = this.slots.get(slot);
		return (taken == null || !taken.thread().isAlive()) && this.slots.compareAndSet(slot, taken, open);
	}

	private @Nullable Open<T> findSlot(int slot, ToolCall call) {
		Open<T> taken = this.slots.get(slot);
		return (taken != null && taken.isOf(call)) ? taken : null;
	}

	/**
	 * What is remembered of a call of this thread that has not ended, or {@code null}.
	 */
	@Nullable T find(ToolCall call) {
		int slot = slotOf(call.id());
		Open<T> open = groupOf(slot).find(call);
		if (open == null) {
			open = findSlot(slot, call);
		}
		return (open != null) ? open.what() : null;
	}

	/**
	 * Whether a call goes on, on whatever thread. It may have other arguments by now.
	 */
	boolean contains(ToolCall call) {
		int slot = slotOf(call.id());
		Open<T> taken = this.slots.get(slot);
		return (taken != null && taken.mayBe(call)) || groupOf(slot).contains(call);
	}

	/**
	 * Forget a call that has ended.
	 * @return what was remembered, which nobody else gets, or {@code null} if nothing was
	 */
	@Nullable T remove(ToolCall call) {
		int slot = slotOf(call.id());
		Open<T> ended = groupOf(slot).remove(call);
		if (ended != null) {
			return ended.what();
		}
		ended = findSlot(slot, call);
		// Of this thread, so nobody else gives it up.
		if (ended != null) {
			this.slots.setRelease(slot, null);
		}
		return (ended != null) ? ended.what() : null;
	}

	/**
	 * How many calls go on.
	 */
	int size() {
		int size = this.groups.stream().mapToInt(Group::size).sum();
		for (int i = 0; i < SLOTS; i++) {
			size += (this.slots.get(i) != null) ? 1 : 0;
		}
		return size;
	}

	/**
	 * Some of the calls.
	 */
	private static final class Group<T> {

		private volatile boolean empty = true;

		/** Of each id the latest, which knows the one before. */
		private final Map<String, Open<T>> calls = new LinkedHashMap<>();

		private final AtomicInteger all;

		Group(AtomicInteger all) {
			this.all = all;
		}

		boolean isEmpty() {
			return this.empty;
		}

		synchronized void add(ToolCall call, T what) {
			this.empty = false;
			this.calls.put(call.id(), Open.of(call, what, this.calls.get(call.id())));
			this.all.incrementAndGet();
		}

		synchronized void removeDead() {
			int before = size();
			this.calls.replaceAll((id, latest) -> latest.living());
			this.calls.values().removeIf((latest) -> !latest.thread().isAlive());
			this.empty = this.calls.isEmpty();
			this.all.addAndGet(size() - before);
		}

		/**
		 * The calls of the id that is known for the longest time.
		 */
		synchronized void removeOldest() {
			Iterator<Open<T>> oldest = this.calls.values().iterator();
			if (oldest.hasNext()) {
				this.all.addAndGet(-oldest.next().count());
				oldest.remove();
			}
			this.empty = this.calls.isEmpty();
		}

		@Nullable Open<T> find(ToolCall call) {
			if (this.empty) {
				return null;
			}
			synchronized (this) {
				return Open.find(this.calls.get(call.id()), call);
			}
		}

		boolean contains(ToolCall call) {
			if (this.empty) {
				return false;
			}
			synchronized (this) {
				for (Open<T> one = this.calls.get(call.id()); one != null; one = one.before()) {
					if (one.mayBe(call)) {
						return true;
					}
				}
				return false;
			}
		}

		@Nullable Open<T> remove(ToolCall call) {
			if (this.empty) {
				return null;
			}
			synchronized (this) {
				Open<T> latest = this.calls.get(call.id());
				Open<T> ended = Open.find(latest, call);
				if (ended == null) {
					return null;
				}
				this.all.decrementAndGet();
				Open<T> rest = Open.without(latest, ended);
				if (rest != null) {
					this.calls.put(call.id(), rest);
				}
				else {
					this.calls.remove(call.id());
					this.empty = this.calls.isEmpty();
				}
				return ended;
			}
		}

		synchronized int size() {
			return this.calls.values().stream().mapToInt(Open::count).sum();
		}

	}

	/**
	 * A call that goes on.
	 *
	 * @param id its id
	 * @param thread its thread
	 * @param nesting that of the thread, which is not looked up again
	 * @param depth how deep it is inside of other calls of this thread
	 * @param context its context
	 * @param identity its tool
	 * @param what what is remembered
	 * @param before the call of the same id that began before it, or {@code null}
	 */
	@SuppressWarnings("ReferenceEquality") // another call's context may equal it
	private record Open<T>(String id, Thread thread, Nesting nesting, int depth, CallContext context,
			ToolIdentity identity, T what, @Nullable Open<T> before) {

		static <T> Open<T> of(ToolCall call, T what, @Nullable Open<T> before) {
			Nesting nesting = Nesting.ofThisThread();
			return new Open<>(call.id(), Thread.currentThread(), nesting, nesting.depth(), call.context(),
					call.identity(), what, before);
		}

		boolean isOf(ToolCall call) {
			return this.thread == Thread.currentThread() && this.depth == this.nesting.depth()
					&& this.context == call.context() && this.id.equals(call.id())
					&& (this.identity == call.identity() || this.identity.equals(call.identity()));
		}

		/**
		 * Whether it is a call, as far as another thread knows.
		 */
		boolean mayBe(ToolCall call) {
			return this.id.equals(call.id()) && this.identity.equals(call.identity())
					&& this.context.equals(call.context());
		}

		/**
		 * How many there are, with those that began before it.
		 */
		int count() {
			int count = 1;
			for (Open<T> one = this.before; one != null; one = one.before()) {
				count++;
			}
			return count;
		}

		private Open<T> withBefore(@Nullable Open<T> before) {
			return (before == this.before) ? this : new Open<>(this.id, this.thread, this.nesting, this.depth,
					this.context, this.identity, this.what, before);
		}

		static <T> @Nullable Open<T> find(@Nullable Open<T> latest, ToolCall call) {
			for (Open<T> one = latest; one != null; one = one.before()) {
				if (one.isOf(call)) {
					return one;
				}
			}
			return null;
		}

		/**
		 * All of them but one, in their order.
		 */
		static <T> @Nullable Open<T> without(@Nullable Open<T> latest, Open<T> ended) {
			return rest(latest, (one) -> one != ended);
		}

		/**
		 * All of them whose threads are alive, in their order, or one whose thread is
		 * dead.
		 */
		Open<T> living() {
			Open<T> living = rest(this, (one) -> one.thread().isAlive());
			return (living != null) ? living : this;
		}

		private static <T> @Nullable Open<T> rest(@Nullable Open<T> latest, Predicate<Open<T>> stays) {
			List<Open<T>> kept = new ArrayList<>(1);
			for (Open<T> one = latest; one != null; one = one.before()) {
				if (stays.test(one)) {
					kept.add(one);
				}
			}
			Open<T> rest = null;
			for (int i = kept.size() - 1; i >= 0; i--) {
				rest = kept.get(i).withBefore(rest);
			}
			return rest;
		}

	}

}
