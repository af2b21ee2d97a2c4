package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;

/**
 * Keeps how much of its limits each key has left. A call that is let pass has a place
 * until it is known whether it counts. To take at once and give back later would be
 * another thing: what comes back with time in between would come back twice.
 * <p>
 * Limits that count by different parts of a call have a key each, in the order of their
 * {@linkplain LimitGroup groups}; an empty one if the limits of the group do not count
 * the call. A call passes if all of them have a place for it, and otherwise none of them
 * counts it, in one step.
 */
interface LimitStore {

	/**
	 * Let a call pass if all limits of its key have a place for it, or if it was counted
	 * before.
	 * @param keys the key of each group
	 * @param call tells calls apart, if this one may have been
	 * {@linkplain #remember(List, String) remembered}, which then is forgotten
	 * @return what came of it; there is no place for a call that was counted before
	 */
	Answer enter(List<String> keys, @Nullable String call);

	/**
	 * Let a call pass that counts at once, in one step where the store can, or that was
	 * counted before.
	 * @param keys the key of each group
	 * @param call as in {@link #enter(List, String)}
	 * @return what came of it; there is no place then
	 */
	Answer take(List<String> keys, @Nullable String call);

	/**
	 * Say what {@link #enter(List, String)} would, without a trace.
	 * @param keys the key of each group
	 * @param call as in {@link #enter(List, String)}
	 * @return what would come of it; there is no place then
	 */
	Answer look(List<String> keys, @Nullable String call);

	/**
	 * Remember that a call was counted whose turn ends to wait for people, so that it
	 * passes when it is resumed, once, on any node that shares the store.
	 * @param keys the key of each group
	 * @param call tells calls apart
	 */
	void remember(List<String> keys, String call);

	/**
	 * Say when all keys are as good as new, if that is known here.
	 * @param keys the key of each group
	 * @return the time until then, or {@code null} if they are, if that is never, or if a
	 * store that nodes share would have to be asked
	 */
	default @Nullable Duration newIn(List<String> keys) {
		return null;
	}

	/**
	 * Give up the place of a call. To be called once.
	 * @param place the place
	 * @param counts whether the call counts; otherwise it is as if it had never been
	 */
	void leave(Place place, boolean counts);

	/**
	 * Whether a call may have been remembered. If not, nobody has to tell calls apart.
	 * @return whether one may be
	 */
	default boolean mayRemember() {
		return true;
	}

	/**
	 * The clock of what is known here.
	 * @return tells the time in nanoseconds since whenever
	 */
	default LongSupplier nanos() {
		return System::nanoTime;
	}

	/**
	 * How the store is, as far as its last use told.
	 * @return what is known
	 */
	default HookHealth.Report health() {
		return new HookHealth.Report(HookHealth.State.UP, false, Map.of());
	}

	/**
	 * What the groups say together of a call that none of them has counted.
	 */
	static Answer of(List<Answer> groups) {
		List<UsedUp> usedUp = groups.stream().filter(UsedUp.class::isInstance).map(UsedUp.class::cast).toList();
		if (!usedUp.isEmpty()) {
			return UsedUp.of(usedUp);
		}
		List<Enough> enough = groups.stream().filter(Enough.class::isInstance).map(Enough.class::cast).toList();
		if (enough.size() < groups.size()) {
			return new Full();
		}
		return new Enough(null, enough.stream().mapToLong(Enough::left).filter((left) -> left >= 0).min().orElse(-1),
				enough.stream().map(Enough::newIn).filter(Objects::nonNull).max(Comparator.naturalOrder()).orElse(null),
				0);
	}

	/**
	 * The place of a call.
	 */
	interface Place {

	}

	/**
	 * What came of it.
	 */
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
	 * @param at when that was so, by the {@linkplain #nanos() clock}; 0 if nothing is
	 * known of what is left
	 */
	record Enough(@Nullable Place place, long left, @Nullable Duration newIn, long at) implements Answer {

		Enough(@Nullable Place place) {
			this(place, -1, null, 0);
		}

	}

	/**
	 * Some limits are used up.
	 *
	 * @param limits which
	 * @param freeIn the time until none is, unless others are quicker, or {@code null} if
	 * that is never
	 * @param running whether there is enough left, but only if calls that still run do
	 * not count in the end
	 */
	record UsedUp(List<WrittenLimit> limits, @Nullable Duration freeIn, boolean running) implements Answer {

		/**
		 * What came of a call for which limits of several groups have no place.
		 */
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

	/**
	 * There are so many other keys that this one cannot be counted.
	 */
	record Full() implements Answer {
	}

}
