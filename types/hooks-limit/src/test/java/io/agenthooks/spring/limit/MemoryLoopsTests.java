package io.agenthooks.spring.limit;

import java.util.LinkedHashMap;
import java.util.Map;

import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.StateStore;

/**
 * Tests for {@link LoopStore} in memory.
 */
class MemoryLoopsTests extends LoopStoreContract {

	private final Map<String, LoopStore> stores = new LinkedHashMap<>();

	@Override
	StateStore states() {
		return MemoryState.store(() -> this.clock.get() * 1_000);
	}

	@Override
	LoopStore open(String hook, LoopSettings settings) {
		return this.stores.computeIfAbsent(hook,
				(name) -> LoopStore.open(LoopSettings.entry(name), settings, SharedLimits.ENDLESS, states()));
	}

}
