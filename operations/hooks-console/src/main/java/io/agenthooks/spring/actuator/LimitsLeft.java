package io.agenthooks.spring.actuator;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Hook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.outcome.LimitedHook;

/**
 * The rest of limits. A hook that was registered at run time may go again, so it is not
 * held.
 */
final class LimitsLeft implements HookCountsReader {

	private final Map<String, Set<LimitedHook>> byName = new ConcurrentHashMap<>();

	@Override
	public void join(String name, HookCounts counts) {
		if (counts instanceof LimitedHook limited) {
			this.byName
				.computeIfAbsent(name,
						(absent) -> Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>())))
				.add(limited);
		}
	}

	/**
	 * The least for any key lately, and where it counts; {@code null} if it limits
	 * nothing.
	 */
	@Nullable Map<String, @Nullable Object> of(String name, Class<? extends Hook> kind) {
		Set<LimitedHook> known = this.byName.get(name);
		if (known == null) {
			return null;
		}
		List<LimitedHook> hooks;
		synchronized (known) {
			hooks = known.stream().filter(kind::isInstance).toList();
		}
		if (hooks.isEmpty()) {
			return null;
		}
		double least = hooks.stream()
			.mapToDouble(LimitedHook::remainingCalls)
			.filter((left) -> left >= 0)
			.min()
			.orElse(Double.NaN);
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("remaining", (Double.isNaN(least)) ? null : number(least));
		members.put("store", hooks.get(0).limitStore());
		return members;
	}

	private static Number number(double least) {
		return (least == Math.rint(least)) ? (Number) (long) least : least;
	}

}
