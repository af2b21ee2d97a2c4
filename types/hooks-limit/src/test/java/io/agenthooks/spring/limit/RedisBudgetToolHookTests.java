package io.agenthooks.spring.limit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.api.extension.RegisterExtension;

import io.agenthooks.spring.state.RedisExtension;
import io.agenthooks.spring.state.StateStore;

/**
 * All that {@link BudgetToolHook} does, with budgets in a real Redis.
 */
class RedisBudgetToolHookTests extends BudgetToolHookTests {

	@RegisterExtension
	static final RedisExtension redis = new RedisExtension();

	@Override
	LimitStores stores() {
		return new LimitStores() {

			@Override
			public StateStore states() {
				return TestStates.redis(redis.template(),
						() -> ChronoUnit.MICROS.between(Instant.EPOCH, RedisBudgetToolHookTests.this.now));
			}

			@Override
			public LimitConfig.Store kind() {
				return LimitConfig.Store.REDIS;
			}

		};
	}

}
