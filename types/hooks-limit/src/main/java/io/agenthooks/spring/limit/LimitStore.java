package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.state.Kept;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;

/**
 * How much of its limits each key has left. A call that passes has a place until it is
 * known whether it counts: what is taken at once and given back later, with time in
 * between, would come back twice.
 * <p>
 * Limits that count by different parts have a key each, in the order of their
 * {@linkplain LimitGroup groups}, empty if they do not count the call. A call passes if
 * all have a place for it; otherwise none counts it, in one step.
 */
record LimitStore(List<SharedLimits> groups, KeyedState<SharedKey> state) {

	static LimitStore open(List<SharedLimits> groups, StateStore states) {
		return new LimitStore(groups, states.open(new StateTerms<>(groups.stream().map(SharedLimits::entry).toList(),
				groups.get(0).maxKeys(), StateTerms.WhenFull.REFUSE, false, new Codec(groups))));
	}

	/**
	 * Passes if all limits of its key have a place for it, or if it was counted before.
	 */
	Answer enter(List<String> keys, @Nullable String call) {
		Place place = new Place(keys, SharedLimits.newId());
		return this.state.change(keys, new Full(), (kept, now) -> pass(kept, now, call, place));
	}

	/** Count at once. */
	Answer take(List<String> keys, @Nullable String call) {
		return this.state.change(keys, new Full(), (kept, now) -> pass(kept, now, call, null));
	}

	/** Say what {@link #enter(List, String)} would, without a trace. */
	Answer look(List<String> keys, @Nullable String call) {
		return this.state.look(keys, new Full(), (kept, now) -> {
			List<One> all = read(kept, now);
			Answer before = enough(uncounted(all, call), null, now);
			Answer answer = pass(kept, now, call, null);
			return (answer instanceof Enough) ? before : answer;
		});
	}

	private Answer pass(List<Kept<SharedKey>> kept, long now, @Nullable String call, @Nullable Place place) {
		List<One> all = read(kept, now);
		List<One> uncounted = uncounted(all, call);
		List<UsedUp> usedUp = new ArrayList<>(0);
		for (One one : uncounted) {
			UsedUp here = one.key().usedUp(now);
			if (here != null) {
				usedUp.add(here);
			}
		}
		if (!usedUp.isEmpty()) {
			for (One one : uncounted) {
				if (one.isKnown()) {
					one.key().use(now);
				}
			}
			for (One one : all) {
				one.keep();
			}
			return (usedUp.size() == 1) ? usedUp.get(0) : UsedUp.of(usedUp);
		}
		for (One one : all) {
			if (!uncounted.contains(one)) {
				one.key().forget(Objects.requireNonNull(call));
			}
			else if (place != null) {
				one.key().use(now);
				one.key().enter(place.id(), now);
			}
			else {
				one.key().count(now);
			}
			one.keep();
		}
		return enough(uncounted, place, now);
	}

	private List<One> read(List<Kept<SharedKey>> kept, long now) {
		List<One> all = new ArrayList<>(kept.size());
		for (Kept<SharedKey> one : kept) {
			SharedKey known = one.state();
			SharedKey key = (known != null) ? known : SharedKey.fresh(this.groups.get(one.space()));
			key.advance(now);
			all.add(new One(one, key));
		}
		return all;
	}

	private static List<One> uncounted(List<One> all, @Nullable String call) {
		return (call != null) ? all.stream().filter((one) -> !one.key().remembers(call)).toList() : all;
	}

	private static Enough enough(List<One> uncounted, @Nullable Place place, long now) {
		if (uncounted.isEmpty()) {
			return new Enough(null);
		}
		long left = Long.MAX_VALUE;
		Duration newIn = null;
		for (One one : uncounted) {
			left = Math.min(left, one.key().left(now));
			Duration here = one.key().newIn(now);
			newIn = (here != null && (newIn == null || here.compareTo(newIn) > 0)) ? here : newIn;
		}
		return new Enough(place, left, newIn);
	}

	/**
	 * It was counted, and passes when it is resumed, once, on any node that shares the
	 * store.
	 */
	void remember(List<String> keys, String call) {
		Answer unused = this.state.change(keys, new Full(), (kept, now) -> {
			for (One one : read(kept, now)) {
				one.key().remember(call, now);
				one.keep();
			}
			return new Enough(null);
		});
	}

	/** To be called once. */
	void leave(Place place, boolean counts) {
		Answer unused = this.state.change(place.keys(), new Full(), (kept, now) -> {
			for (One one : read(kept, now)) {
				if (one.key().leave(place.id()) && counts) {
					one.key().count(now);
				}
				one.keep();
			}
			return new Enough(null);
		});
	}

	HookHealth.Report health() {
		return this.state.health();
	}

	private record One(Kept<SharedKey> place, SharedKey key) {

		boolean isKnown() {
			return this.place.state() != null;
		}

		void keep() {
			if (this.key.isChanged()) {
				this.place.keep(this.key, this.key.overAt());
			}
		}

	}

	private record Codec(List<SharedLimits> groups) implements StateCodec<SharedKey> {

		@Override
		public String write(SharedKey state) {
			return state.write();
		}

		@Override
		public SharedKey read(int space, String text) {
			return SharedKey.read(this.groups.get(space), text);
		}

	}

	record Place(List<String> keys, String id) {
	}

	sealed interface Answer {

	}

	/**
	 * The call passes.
	 *
	 * @param place its place, or {@code null} if nobody wanted one
	 * @param left how many more calls of the key pass, or a negative number if that is
	 * not known
	 * @param newIn the time until all limits are as good as new, or {@code null} if they
	 * are, if that is never, or not known
	 */
	record Enough(@Nullable Place place, long left, @Nullable Duration newIn) implements Answer {

		Enough(@Nullable Place place) {
			this(place, -1, null);
		}

	}

	/**
	 * Some limits are used up.
	 *
	 * @param freeIn the time until none is, unless others are quicker, or {@code null} if
	 * that is never
	 */
	record UsedUp(List<WrittenLimit> limits, @Nullable Duration freeIn, boolean running) implements Answer {

		/** For a call for which limits of several groups have no place. */
		static UsedUp of(List<UsedUp> groups) {
			boolean never = groups.stream().anyMatch((group) -> group.freeIn() == null);
			return new UsedUp(groups.stream().flatMap((group) -> group.limits().stream()).toList(),
					(never) ? null
							: groups.stream()
								.map(UsedUp::freeIn)
								.filter(Objects::nonNull)
								.max(Comparator.naturalOrder())
								.orElse(null),
					groups.stream().allMatch(UsedUp::running));
		}

	}

	record Full() implements Answer {
	}

}
