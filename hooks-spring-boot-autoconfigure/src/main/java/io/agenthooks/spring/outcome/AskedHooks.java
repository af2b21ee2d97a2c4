package io.agenthooks.spring.outcome;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.CallNote;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.chain.WatchedHook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.external.Unanswered;

/**
 * Notes which hooks were asked about a call, for hooks that keep how calls ended.
 *
 * @since 0.1.0
 */
public final class AskedHooks implements CallWatch, HookCountsReader {

	/** A policy of many rules is one hook; this many are a mistake. */
	private static final int MAX_HOOKS = 1000;

	private final CallNote<Asked> note = new CallNote<>();

	private final Set<String> readers = ConcurrentHashMap.newKeySet();

	private final List<Class<? extends HookedCall>> read = new CopyOnWriteArrayList<>();

	/**
	 * Announce a hook that reads which hooks were asked. It has to do so before the first
	 * call.
	 * @param hook the name of the hook, which does not count as asked itself
	 * @param calls the kinds of calls
	 */
	public void readBy(String hook, List<Class<? extends HookedCall>> calls) {
		this.readers.add(hook);
		this.read.addAll(calls);
	}

	@Override
	public void join(String name, HookCounts counts) {
		if (counts instanceof LimitedHook limited) {
			limited.tellLeft((left) -> noteLeft(name, left));
		}
	}

	@Override
	public boolean needsHooks() {
		return true;
	}

	@Override
	public @Nullable WatchedCall begin(HookedCall call) {
		for (Class<? extends HookedCall> kind : this.read) {
			if (kind.isInstance(call)) {
				return new Asked();
			}
		}
		return null;
	}

	/**
	 * The hooks that were asked about the call of whose end the hook learns that asks
	 * this.
	 * @return the hooks, in order
	 */
	public List<AskedHook> ofThisCall() {
		Asked asked = this.note.find();
		return (asked != null) ? asked.hooks() : List.of();
	}

	/** One that is late is not heard. */
	private void noteLeft(String hook, LimitLeft limit) {
		Asked asked = this.note.find();
		if (asked != null) {
			asked.left = new Left(hook, limit);
		}
	}

	private final class Asked implements WatchedCall {

		private final List<AskedHook> hooks = new ArrayList<>(4);

		/** Of the hook that is being asked, which may run on another thread. */
		private volatile @Nullable Left left;

		@Override
		public @Nullable Binding bind() {
			AskedHooks.this.note.leave(this);
			return null;
		}

		@Override
		public @Nullable WatchedHook ask(HookEntry<?> hook, HookPart part) {
			if (part == HookPart.LEARN || AskedHooks.this.readers.contains(hook.name())) {
				return null;
			}
			long start = System.nanoTime();
			return (decision, failure) -> add(hook.name(), Unanswered.verdict(part, decision, failure),
					System.nanoTime() - start);
		}

		private synchronized void add(String hook, String verdict, long nanos) {
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

	private record Left(String hook, LimitLeft limit) {
	}

}
