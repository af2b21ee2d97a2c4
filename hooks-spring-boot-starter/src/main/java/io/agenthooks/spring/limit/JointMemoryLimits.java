package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Limits in the memory of the application that count by different parts of a call. Their
 * keys are held in the order of the groups, so calls do not wait for each other in a
 * circle.
 */
final class JointMemoryLimits implements LimitStore {

	private final List<MemoryLimits> groups;

	JointMemoryLimits(List<MemoryLimits> groups) {
		this.groups = groups;
	}

	/**
	 * A store of a hook.
	 * @param nanos tells the time in nanoseconds
	 */
	static LimitStore open(List<LimitGroup> groups, Duration forgetAfter, int maxKeys, LongSupplier nanos) {
		List<MemoryLimits> stores = groups.stream()
			.map((group) -> new MemoryLimits(group.limits(), forgetAfter, maxKeys, nanos))
			.toList();
		return (stores.size() == 1) ? stores.get(0) : new JointMemoryLimits(stores);
	}

	@Override
	public Answer enter(List<String> keys, @Nullable String call) {
		return pass(keys, call, true, new ArrayList<>());
	}

	@Override
	public Answer take(List<String> keys, @Nullable String call) {
		return pass(keys, call, false, new ArrayList<>());
	}

	/**
	 * Hold the key of one more group, and go on.
	 * @param held the keys of the groups before it
	 */
	private Answer pass(List<String> keys, @Nullable String call, boolean enters, List<MemoryLimits.Kept> held) {
		if (keys.isEmpty()) {
			return (held.isEmpty()) ? new Enough(null) : decide(held, enters);
		}
		String key = keys.get(0);
		List<String> others = keys.subList(1, keys.size());
		MemoryLimits group = this.groups.get(this.groups.size() - keys.size());
		if (key.isEmpty()) {
			return pass(others, call, enters, held);
		}
		if (call != null && group.takeCounted(key, call)) {
			Answer answer = pass(others, call, enters, held);
			if (!(answer instanceof Enough)) {
				group.remember(List.of(key), call);
			}
			return answer;
		}
		return group.use(key, (kept) -> {
			held.add(kept);
			return pass(others, call, enters, held);
		});
	}

	private static Answer decide(List<MemoryLimits.Kept> held, boolean enters) {
		if (held.stream().anyMatch((kept) -> kept.left() <= 0)) {
			return UsedUp.of(held.stream().map(MemoryLimits.Kept::refuse).filter(Objects::nonNull).toList());
		}
		long left = Long.MAX_VALUE;
		long at = 0;
		for (MemoryLimits.Kept kept : held) {
			if (((enters) ? kept.enter() : kept.take()) instanceof Enough enough) {
				left = Math.min(left, enough.left());
				at = enough.at();
			}
		}
		return new Enough((enters) ? new JointPlace(held) : null, left, null, at);
	}

	@Override
	public Answer look(List<String> keys, @Nullable String call) {
		return LimitStore
			.of(counting(keys).mapToObj((group) -> this.groups.get(group).look(List.of(keys.get(group)), call))
				.toList());
	}

	@Override
	public void remember(List<String> keys, String call) {
		counting(keys).forEach((group) -> this.groups.get(group).remember(List.of(keys.get(group)), call));
	}

	@Override
	public @Nullable Duration newIn(List<String> keys) {
		return counting(keys).mapToObj((group) -> this.groups.get(group).newIn(List.of(keys.get(group))))
			.filter(Objects::nonNull)
			.max(Comparator.naturalOrder())
			.orElse(null);
	}

	private static IntStream counting(List<String> keys) {
		return IntStream.range(0, keys.size()).filter((group) -> !keys.get(group).isEmpty());
	}

	@Override
	public void leave(Place place, boolean counts) {
		((JointPlace) place).held().forEach((kept) -> MemoryLimits.leave(kept, counts));
	}

	@Override
	public boolean mayRemember() {
		return this.groups.stream().anyMatch(MemoryLimits::mayRemember);
	}

	@Override
	public LongSupplier nanos() {
		return this.groups.get(0).nanos();
	}

	/**
	 * The places of a call.
	 *
	 * @param held where
	 */
	private record JointPlace(List<MemoryLimits.Kept> held) implements Place {
	}

}
