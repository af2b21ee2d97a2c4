package io.agenthooks.spring.ended;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.HookDecision;
import io.agenthooks.chain.HookAround;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.spring.HookAroundProvider;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.external.Unanswered;
import io.agenthooks.toolcall.ToolCall;

/**
 * Remembers which hooks were asked about a call, until all its readers have read it.
 *
 * @since 0.1.0
 */
public final class AskedHooks implements HookAroundProvider {

	/**
	 * Of how many calls at once. Some never end, such as a stream that nobody reads.
	 */
	static final int MAX_CALLS = 10_000;

	/** A policy of many rules is one hook; this many are a mistake. */
	private static final int MAX_HOOKS = 1000;

	private static final long FORGOTTEN = TimeUnit.HOURS.toNanos(1);

	private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

	private static final String FAILED = "failed";

	private final Map<Key, Asked> byCall = new ConcurrentHashMap<>();

	private final AtomicLong nextSearch = new AtomicLong(System.nanoTime());

	private final Set<String> readers = ConcurrentHashMap.newKeySet();

	/** For each reader the calls that it reads, so one for each call of all kinds. */
	private final List<Class<? extends HookedCall>> read = new CopyOnWriteArrayList<>();

	/**
	 * Announce a hook that reads which hooks were asked. It has to do so before the first
	 * call, and then {@link #end} each call of these kinds once.
	 * @param hook the name of the hook, which does not count as asked itself
	 * @param calls the kinds of calls
	 */
	public void readBy(String hook, List<Class<? extends HookedCall>> calls) {
		this.readers.add(hook);
		this.read.addAll(calls);
	}

	@Override
	public HookAround around(String name, String type) {
		return (this.readers.contains(name)) ? HookAround.NOTHING : new Noting(name);
	}

	/**
	 * Make hooks that limit calls report what is left.
	 */
	@Override
	public void join(String name, HookCounts counts) {
		if (counts instanceof LimitedHook limited) {
			limited.tellLeft((call, left) -> noteLeft(call, name, left));
		}
	}

	/**
	 * The hooks that were asked about a call that has ended.
	 * @param call the call
	 * @return the hooks, in order, or {@code null} if too many calls were under way
	 */
	public @Nullable List<AskedHook> end(HookedCall call) {
		Key key = Key.of(call);
		Asked asked = this.byCall.get(key);
		if (asked == null) {
			return (this.byCall.size() < MAX_CALLS) ? List.of() : null;
		}
		if (asked.readers.decrementAndGet() <= 0) {
			this.byCall.remove(key);
		}
		return asked.hooks();
	}

	/**
	 * How many calls are under way, as far as is known.
	 * @return the number of calls of which something is remembered
	 */
	public int size() {
		return this.byCall.size();
	}

	private int readersOf(HookedCall call) {
		int count = 0;
		for (Class<? extends HookedCall> kind : this.read) {
			if (kind.isInstance(call)) {
				count++;
			}
		}
		return count;
	}

	private void note(HookedCall call, String hook, String verdict, long nanos) {
		Asked asked = begin(call);
		if (asked == null) {
			return;
		}
		asked.add(hook, verdict, nanos);
	}

	/**
	 * What is remembered of a call, or {@code null} if nothing reads it or too many calls
	 * are remembered.
	 */
	private @Nullable Asked begin(HookedCall call) {
		Key key = Key.of(call);
		Asked asked = this.byCall.get(key);
		if (asked != null) {
			return asked;
		}
		int readers = readersOf(call);
		if (readers == 0 || (this.byCall.size() >= MAX_CALLS && !forgetSome())) {
			return null;
		}
		// Puts without a lock, unlike computeIfAbsent
		Asked begun = new Asked(readers);
		Asked before = this.byCall.putIfAbsent(key, begun);
		return (before != null) ? before : begun;
	}

	/**
	 * A hook that is being asked says what it has left. One that is late is not heard: it
	 * begins nothing that nobody would end.
	 */
	private void noteLeft(HookedCall call, String hook, LimitLeft limit) {
		Asked asked = this.byCall.get(Key.of(call));
		if (asked != null) {
			asked.left = new Left(hook, limit);
		}
	}

	private boolean forgetSome() {
		long now = System.nanoTime();
		long next = this.nextSearch.get();
		if (now - next >= 0 && this.nextSearch.compareAndSet(next, now + PAUSE)) {
			this.byCall.values().removeIf((asked) -> now - asked.since > FORGOTTEN);
		}
		return this.byCall.size() < MAX_CALLS;
	}

	/**
	 * What a call is found by. The id of a call is that of no other, but a program that
	 * makes calls itself may see to that badly; contexts and tools are changed by no
	 * hook.
	 *
	 * @param id the id
	 * @param context the context
	 * @param target the tool, or what kind of call it is
	 */
	private record Key(String id, CallContext context, Object target) {

		static Key of(HookedCall call) {
			return new Key(call.id(), call.context(),
					(call instanceof ToolCall tool) ? tool.identity() : call.getClass());
		}

		@Override
		@SuppressWarnings("ReferenceEquality") // that of one call, most of the time
		public boolean equals(@Nullable Object other) {
			return other instanceof Key key && this.id.equals(key.id)
					&& (this.context == key.context || this.context.equals(key.context))
					&& this.target.equals(key.target);
		}

		@Override
		public int hashCode() {
			return this.id.hashCode();
		}

	}

	/**
	 * What was asked about a call. One thread at a time asks hooks, unless two calls
	 * cannot be told apart.
	 */
	private static final class Asked {

		/** When the first hook was asked. */
		private final long since = System.nanoTime();

		private final List<AskedHook> hooks = new ArrayList<>(4);

		/** How many have not read it yet. */
		private final AtomicInteger readers;

		/** What the hook that is being asked has left. It may run on another thread. */
		private volatile @Nullable Left left;

		Asked(int readers) {
			this.readers = new AtomicInteger(readers);
		}

		synchronized void add(String hook, String verdict, long nanos) {
			Left left = this.left;
			this.left = null;
			if (this.hooks.size() < MAX_HOOKS) {
				LimitLeft limit = (left != null && left.hook().equals(hook)) ? left.limit() : null;
				this.hooks.add(new AskedHook(hook, verdict, nanos, limit));
			}
		}

		synchronized List<AskedHook> hooks() {
			return List.copyOf(this.hooks);
		}

	}

	/**
	 * What a hook has left.
	 *
	 * @param hook its name
	 * @param limit what it has left
	 */
	private record Left(String hook, LimitLeft limit) {
	}

	private final class Noting implements HookAround {

		private final String name;

		Noting(String name) {
			this.name = name;
		}

		/**
		 * The call is unknown.
		 */
		@Override
		public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook) {
			return hook.get();
		}

		@Override
		public <D extends HookDecision> @Nullable D ask(HookedCall call, Supplier<@Nullable D> hook) {
			begin(call);
			long start = System.nanoTime();
			String verdict = FAILED;
			try {
				D decision = hook.get();
				if (decision != null && !Unanswered.isFailure(decision)) {
					verdict = decision.verdict().value();
				}
				return decision;
			}
			finally {
				note(call, this.name, verdict, System.nanoTime() - start);
			}
		}

	}

}
