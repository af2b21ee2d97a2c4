package io.agenthooks.spring.limit;

/**
 * Tests for limits that count by different parts, in memory.
 */
class MemoryLimitPartsTests extends LimitPartsContract {

	@Override
	LimitStores stores() {
		return LimitStores.IN_MEMORY;
	}

}
