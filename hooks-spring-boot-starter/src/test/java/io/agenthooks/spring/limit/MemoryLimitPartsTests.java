package io.agenthooks.spring.limit;

/**
 * Tests for {@link JointMemoryLimits}.
 */
class MemoryLimitPartsTests extends LimitPartsContract {

	@Override
	LimitStores stores() {
		return (hook, groups, forgetAfter, maxKeys) -> JointMemoryLimits.open(groups, forgetAfter, maxKeys,
				System::nanoTime);
	}

}
