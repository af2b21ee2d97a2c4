package io.agenthooks.spring.external;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

import io.agenthooks.spring.HookCounts;

/** A hook that was registered at run time may go again, so it is not held. */
final class CountsByName {

	private final Map<String, Set<HookCounts>> byName = new ConcurrentHashMap<>();

	void add(String name, HookCounts counts) {
		this.byName
			.computeIfAbsent(name,
					(absent) -> Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>())))
			.add(counts);
	}

	Set<String> names() {
		return this.byName.keySet();
	}

	LongStream of(String name, ToLongFunction<HookCounts> count) {
		Set<HookCounts> hooks = this.byName.getOrDefault(name, Set.of());
		synchronized (hooks) {
			return List.copyOf(hooks).stream().mapToLong(count);
		}
	}

}
