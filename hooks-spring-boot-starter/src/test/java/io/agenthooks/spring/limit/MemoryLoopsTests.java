package io.agenthooks.spring.limit;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tests for {@link MemoryLoops}.
 */
class MemoryLoopsTests extends LoopStoreContract {

	private final Map<String, MemoryLoops> stores = new LinkedHashMap<>();

	@Override
	LoopStore open(String hook, LoopSettings settings) {
		return this.stores.computeIfAbsent(hook, (name) -> new MemoryLoops(settings, () -> this.clock.get() * 1_000));
	}

}
