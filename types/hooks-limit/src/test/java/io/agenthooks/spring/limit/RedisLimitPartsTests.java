package io.agenthooks.spring.limit;

import org.junit.jupiter.api.extension.RegisterExtension;

import io.agenthooks.spring.state.RedisExtension;

/**
 * Tests for limits that count by different parts, in a real Redis.
 */
class RedisLimitPartsTests extends LimitPartsContract {

	@RegisterExtension
	static final RedisExtension redis = new RedisExtension();

	@Override
	LimitStores stores() {
		return () -> TestStates.redis(redis.template(), null);
	}

}
