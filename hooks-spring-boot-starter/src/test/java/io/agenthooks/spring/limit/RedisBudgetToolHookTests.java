package io.agenthooks.spring.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.junit.jupiter.api.extension.RegisterExtension;

import io.agenthooks.spring.approval.RedisExtension;

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
			public LimitStore make(String hook, List<LimitGroup> groups, Duration forgetAfter, int maxKeys) {
				throw new IllegalStateException("A budget is no rate limit");
			}

			@Override
			public BudgetStore budgets(String hook, String what, BudgetTerms terms, InstantSource clock) {
				return new RedisBudgetStore(redis.template(), "test",
						SharedBudget.of(hook, what, terms, SharedLimits.LEASE),
						() -> String.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant())));
			}

		};
	}

}
