package io.agenthooks.spring.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * State in the memory of the application. A key is forgotten when it is over; never to
 * make room, unless the terms say so.
 *
 * @param <S> what is kept of a key
 * @since 0.1.0
 */
public final class MemoryState<S> implements KeyedState<S> {

	/** In microseconds: a full space is not searched for each call. */
	private static final long SWEEP_PAUSE = 100_000;

	/** Far from zero, which is the time of what was never used. */
	private static final long START = 1_000_000_000_000_000L;

	private final StateTerms<S> terms;

	private final LongSupplier micros;

	private final List<Space<S>> spaces;

	/** Held while spaces are read or written: microseconds, but for sweeps. */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Create state.
	 * @param terms what is kept, and how much of it
	 * @param micros tells the time in microseconds, far above zero
	 */
	public MemoryState(StateTerms<S> terms, LongSupplier micros) {
		this.terms = terms;
		this.micros = micros;
		this.spaces = terms.spaces().stream().map((name) -> new Space<S>(terms)).toList();
	}

	/**
	 * A store that goes by a clock which runs on, whatever time it tells.
	 * @param nanos tells the time in nanoseconds, as {@link System#nanoTime()}
	 * @return the store
	 */
	public static StateStore store(LongSupplier nanos) {
		long start = nanos.getAsLong();
		return new StateStore() {

			@Override
			public <S> KeyedState<S> open(StateTerms<S> terms) {
				return new MemoryState<>(terms, () -> START + (nanos.getAsLong() - start) / 1_000);
			}

		};
	}

	@Override
	public <T> T change(List<String> keys, T full, Change<S, T> change) {
		this.lock.lock();
		try {
			long now = this.micros.getAsLong();
			// If there is no room for one key, the others must not have changed.
			List<Kept<S>> kept = kept(keys, now, mayLackRoom(keys));
			T answer = change.in(kept, now);
			for (Kept<S> one : kept) {
				Space<S> space = this.spaces.get(one.space());
				if (one.isNew() && !space.hasRoomFor(keys.get(one.space())) && !space.makeRoom(now)) {
					return full;
				}
			}
			kept.forEach((one) -> this.spaces.get(one.space()).write(keys.get(one.space()), one, now));
			return answer;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public <T> T look(List<String> keys, T full, Change<S, T> change) {
		this.lock.lock();
		try {
			long now = this.micros.getAsLong();
			List<Kept<S>> kept = kept(keys, now, true);
			T answer = change.in(kept, now);
			return (kept.stream().anyMatch((one) -> one.isNew() && !this.spaces.get(one.space()).mayMakeRoom(now)))
					? full : answer;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean mayLackRoom(List<String> keys) {
		if (keys.size() > 1) {
			for (int i = 0; i < keys.size(); i++) {
				if (!keys.get(i).isEmpty() && !this.spaces.get(i).hasRoomFor(keys.get(i))) {
					return true;
				}
			}
		}
		return false;
	}

	/** The states of keys; copies by the codec, so that the state stays what it is. */
	private List<Kept<S>> kept(List<String> keys, long now, boolean copied) {
		List<Kept<S>> kept = new ArrayList<>(keys.size());
		for (int i = 0; i < keys.size(); i++) {
			if (!keys.get(i).isEmpty()) {
				S state = this.spaces.get(i).get(keys.get(i), now);
				kept.add(new Kept<>(i, (state != null && copied)
						? this.terms.codec().read(i, this.terms.codec().write(state)) : state));
			}
		}
		return kept;
	}

	public int size() {
		this.lock.lock();
		try {
			return this.spaces.stream().mapToInt((space) -> space.entries.size()).sum();
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Entry<S>(S state, long overAt) {
	}

	private static final class Space<S> {

		private final Map<String, Entry<S>> entries = new HashMap<>();

		private final int maxKeys;

		private final boolean forgetsOldest;

		/** In microseconds, of which a sweep takes less than one for each key. */
		private final long pause;

		private long nextSweep = Long.MIN_VALUE;

		Space(StateTerms<S> terms) {
			this.maxKeys = terms.maxKeys();
			this.pause = Math.max(SWEEP_PAUSE, this.maxKeys);
			this.forgetsOldest = terms.full() == StateTerms.WhenFull.FORGET_OLDEST;
		}

		@Nullable S get(String key, long now) {
			Entry<S> entry = this.entries.get(key);
			return (entry != null && entry.overAt() > now) ? entry.state() : null;
		}

		void write(String key, Kept<S> kept, long now) {
			S state = kept.next();
			if (state != null && kept.overAt() > now) {
				this.entries.put(key, new Entry<>(state, kept.overAt()));
			}
			else if (state != null) {
				this.entries.remove(key);
			}
		}

		/** Whether a key has room. One that is over, but still there, has its own. */
		boolean hasRoomFor(String key) {
			return this.entries.size() < this.maxKeys || this.entries.containsKey(key);
		}

		boolean mayMakeRoom(long now) {
			return this.forgetsOldest || this.entries.size() < this.maxKeys
					|| this.entries.values().stream().anyMatch((entry) -> entry.overAt() <= now);
		}

		/**
		 * Forget keys that are over, or else, if that is so, those that are over next.
		 */
		boolean makeRoom(long now) {
			if (!this.forgetsOldest && now < this.nextSweep && now > this.nextSweep - 2 * this.pause) {
				return false;
			}
			this.nextSweep = now + this.pause;
			this.entries.values().removeIf((entry) -> entry.overAt() <= now);
			int tooMany = this.entries.size() + 1 - this.maxKeys;
			if (this.forgetsOldest && tooMany > 0) {
				this.entries.entrySet()
					.stream()
					.sorted(Map.Entry.comparingByValue(Comparator.comparingLong(Entry::overAt)))
					.limit(tooMany + this.maxKeys / 100)
					.toList()
					.forEach((oldest) -> this.entries.remove(oldest.getKey()));
			}
			return this.entries.size() < this.maxKeys;
		}

	}

}
