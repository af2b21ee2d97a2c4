package io.agenthooks.flow;

import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The sessions and runs that are remembered. If there are too many, the least recently
 * used are forgotten; that they had read something untrusted or private is not.
 */
final class FlowRuns {

	/** 64 MB. */
	private static final long MAX_HASHES = 8 * 1024 * 1024;

	/** 1 MB. */
	private static final int BITS = 1 << 23;

	private static final int HASHES = 4;

	private final int max;

	private final LinkedHashMap<String, FlowState> states = new LinkedHashMap<>(16, 0.75f, true);

	private final Map<String, Integer> sizes = new LinkedHashMap<>();

	private final BitSet forgotten = new BitSet();

	/** Tainted runs that ended lately, of which a call may still come. */
	private final Set<String> ended = Collections.newSetFromMap(new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
			return size() > FlowRuns.this.max;
		}

	});

	private long hashes;

	FlowRuns(int max) {
		this.max = max;
	}

	synchronized @Nullable FlowState find(String key) {
		return this.states.get(key);
	}

	synchronized FlowState get(String key, Function<Boolean, FlowState> begin) {
		FlowState state = this.states.get(key);
		if (state == null) {
			state = begin.apply(isForgotten(key));
			this.states.put(key, state);
			shrink();
		}
		return state;
	}

	/**
	 * If it was forgotten meanwhile, because its call took long, what it has read counts
	 * for what came in its place.
	 */
	synchronized void update(String key, FlowState state) {
		FlowState current = this.states.get(key);
		if (current == state) {
			Integer before = this.sizes.put(key, state.size());
			this.hashes += state.size() - ((before != null) ? before : 0);
			shrink();
		}
		else if (state.isTainted()) {
			markForgotten(key);
			if (current != null) {
				FlowState.View view = state.view();
				current.lose(view.isUntrusted(), view.isSecret());
			}
		}
	}

	synchronized void end(String key, boolean late) {
		FlowState state = this.states.get(key);
		if (state != null) {
			remove(key);
			if (state.isTainted() && late) {
				this.ended.add(key);
			}
		}
	}

	private void remove(String key) {
		Integer size = this.sizes.remove(key);
		this.hashes -= (size != null) ? size : 0;
		this.states.remove(key);
	}

	private void shrink() {
		while (this.states.size() > this.max || (this.hashes > MAX_HASHES && this.states.size() > 1)) {
			Map.Entry<String, FlowState> eldest = this.states.entrySet().iterator().next();
			String key = eldest.getKey();
			if (eldest.getValue().isTainted()) {
				markForgotten(key);
			}
			remove(key);
		}
	}

	private void markForgotten(String key) {
		for (int i = 0; i < HASHES; i++) {
			this.forgotten.set(place(key, i));
		}
	}

	/** Also said of some that were not forgotten, the more of them, the more were. */
	synchronized boolean isForgotten(String key) {
		if (this.ended.contains(key)) {
			return true;
		}
		for (int i = 0; i < HASHES; i++) {
			if (!this.forgotten.get(place(key, i))) {
				return false;
			}
		}
		return true;
	}

	private static int place(String key, int which) {
		return (int) (Fingerprint.OF_PROCESS.of(100 + which, key) & (BITS - 1));
	}

	synchronized int size() {
		return this.states.size();
	}

	synchronized long hashes() {
		return this.hashes;
	}

}
