package io.agenthooks.spring.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * State in the memory of the application. Keys are held in the order of their spaces
 * while they change, so that calls do not wait for each other in a circle.
 * <p>
 * A key is forgotten when it is over; never to make room, unless the terms say so.
 *
 * @param <S> what is kept of a key
 * @since 0.1.0
 */
public final class MemoryState<S> implements KeyedState<S> {

	/** A full space is not searched for each call. */
	private static final long SWEEP_PAUSE = 100_000;

	/** Far from zero, which is the time of what was never used. */
	private static final long START = 1_000_000_000_000_000L;

	private final StateTerms<S> terms;

	private final LongSupplier micros;

	private final List<Space<S>> spaces;

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
		Step<S, T> step = new Step<>(keys, change, this.terms.codec());
		while (true) {
			hold(step, 0);
			Space<S> lacking = step.lacking;
			if (lacking == null) {
				return Objects.requireNonNull(step.answer);
			}
			if (!lacking.makeRoom(this.micros.getAsLong())) {
				return full;
			}
			step = new Step<>(keys, change, this.terms.codec());
		}
	}

	private <T> void hold(Step<S, T> step, int number) {
		if (number == step.keys.size()) {
			step.decide(this.spaces, this.micros.getAsLong());
			return;
		}
		String key = step.keys.get(number);
		if (key.isEmpty()) {
			hold(step, number + 1);
			return;
		}
		Entry<S> unused = this.spaces.get(number).entries.compute(key, (same, entry) -> {
			Held<S> held = new Held<>(number, entry);
			step.held.add(held);
			hold(step, number + 1);
			return held.next;
		});
	}

	@Override
	public <T> T look(List<String> keys, T full, Change<S, T> change) {
		long now = this.micros.getAsLong();
		List<Kept<S>> kept = new ArrayList<>();
		for (int i = 0; i < keys.size(); i++) {
			if (!keys.get(i).isEmpty()) {
				kept.add(new Kept<>(i, copy(i, keys.get(i), now)));
			}
		}
		T answer = change.in(kept, now);
		return (kept.stream().anyMatch((one) -> one.isNew() && !this.spaces.get(one.space()).hasRoom(now))) ? full
				: answer;
	}

	private @Nullable S copy(int space, String key, long now) {
		List<S> copy = new ArrayList<>(1);
		Entry<S> unused = this.spaces.get(space).entries.computeIfPresent(key, (same, entry) -> {
			if (entry.overAt > now) {
				copy.add(this.terms.codec().read(space, this.terms.codec().write(Objects.requireNonNull(entry.state))));
			}
			return entry;
		});
		return (copy.isEmpty()) ? null : copy.get(0);
	}

	/**
	 * Return the number of keys of all spaces.
	 * @return the number
	 */
	public int size() {
		return this.spaces.stream().mapToInt((space) -> space.size.get()).sum();
	}

	/** The entry of a key. */
	private static final class Entry<S> {

		private @Nullable S state;

		private long overAt;

	}

	/** A key that is held. */
	private static final class Held<S> {

		private final int space;

		private final @Nullable Entry<S> entry;

		private @Nullable Entry<S> next;

		Held(int space, @Nullable Entry<S> entry) {
			this.space = space;
			this.entry = entry;
			this.next = entry;
		}

		/**
		 * The state of the key. The codec copies it, so that it stays as it is if it is
		 * not kept anew; it is {@code null} if it is sure to be.
		 */
		Kept<S> kept(long now, @Nullable StateCodec<S> codec) {
			Entry<S> known = this.entry;
			S state = (known != null && known.overAt > now) ? known.state : null;
			return new Kept<>(this.space,
					(state != null && codec != null) ? codec.read(this.space, codec.write(state)) : state);
		}

	}

	/** A change, while keys are held. */
	private static final class Step<S, T> {

		private final List<String> keys;

		private final Change<S, T> change;

		private final StateCodec<S> codec;

		private final List<Held<S>> held = new ArrayList<>(1);

		private @Nullable T answer;

		/** The space that has no room, if any. */
		private @Nullable Space<S> lacking;

		Step(List<String> keys, Change<S, T> change, StateCodec<S> codec) {
			this.keys = keys;
			this.change = change;
			this.codec = codec;
		}

		void decide(List<Space<S>> spaces, long now) {
			List<Kept<S>> all = new ArrayList<>(this.held.size());
			// If there is no room for one key, the others must not have changed.
			boolean mayLackRoom = this.held.size() > 1 && this.held.stream().anyMatch((one) -> one.entry == null);
			this.held.forEach((one) -> all.add(one.kept(now, (mayLackRoom) ? this.codec : null)));
			this.answer = this.change.in(all, now);
			for (int i = 0; i < all.size(); i++) {
				if (adds(i, all) && !spaces.get(this.held.get(i).space).reserve()) {
					this.lacking = spaces.get(this.held.get(i).space);
					for (int before = 0; before < i; before++) {
						if (adds(before, all)) {
							spaces.get(this.held.get(before).space).size.decrementAndGet();
						}
					}
					return;
				}
			}
			for (int i = 0; i < all.size(); i++) {
				write(this.held.get(i), all.get(i), spaces.get(this.held.get(i).space), now);
			}
		}

		/** Whether a key needs room. What is over, but still there, has its own. */
		private boolean adds(int index, List<Kept<S>> all) {
			return all.get(index).isNew() && this.held.get(index).entry == null;
		}

		private static <S> void write(Held<S> held, Kept<S> kept, Space<S> space, long now) {
			S state = kept.next();
			if (state == null) {
				return;
			}
			if (kept.overAt() <= now) {
				held.next = null;
				space.size.decrementAndGet();
				return;
			}
			if (held.next == null) {
				held.next = new Entry<>();
			}
			held.next.state = state;
			held.next.overAt = kept.overAt();
		}

	}

	/** The keys of a space. */
	private static final class Space<S> {

		private final Map<String, Entry<S>> entries = new ConcurrentHashMap<>();

		/** Of the entries, exactly. */
		private final AtomicInteger size = new AtomicInteger();

		private final AtomicLong nextSweep = new AtomicLong(Long.MIN_VALUE);

		private final int maxKeys;

		private final boolean forgetsOldest;

		Space(StateTerms<S> terms) {
			this.maxKeys = terms.maxKeys();
			this.forgetsOldest = terms.full() == StateTerms.WhenFull.FORGET_OLDEST;
		}

		boolean reserve() {
			if (this.size.incrementAndGet() <= this.maxKeys) {
				return true;
			}
			this.size.decrementAndGet();
			return false;
		}

		boolean hasRoom(long now) {
			return this.forgetsOldest || this.size.get() < this.maxKeys
					|| this.entries.values().stream().anyMatch((entry) -> entry.overAt <= now);
		}

		/**
		 * Forget keys that are over, or else, if that is so, those that are over next.
		 */
		boolean makeRoom(long now) {
			long next = this.nextSweep.get();
			if (!this.forgetsOldest && now < next && now > next - 2 * SWEEP_PAUSE) {
				return this.size.get() < this.maxKeys;
			}
			this.nextSweep.set(now + SWEEP_PAUSE);
			this.entries.forEach((key, entry) -> {
				if (entry.overAt <= now) {
					remove(key, now);
				}
			});
			int tooMany = this.size.get() + 1 - this.maxKeys;
			if (this.forgetsOldest && tooMany > 0) {
				this.entries.entrySet()
					.stream()
					.map((one) -> Map.entry(one.getKey(), one.getValue().overAt))
					.sorted(Map.Entry.comparingByValue())
					.limit(tooMany + this.maxKeys / 100)
					.forEach((one) -> remove(one.getKey(), one.getValue()));
			}
			return this.size.get() < this.maxKeys;
		}

		/** Forget a key, unless it was used meanwhile. */
		private void remove(String key, long overAt) {
			Entry<S> unused = this.entries.computeIfPresent(key, (same, entry) -> {
				if (entry.overAt > overAt) {
					return entry;
				}
				this.size.decrementAndGet();
				return null;
			});
		}

	}

}
