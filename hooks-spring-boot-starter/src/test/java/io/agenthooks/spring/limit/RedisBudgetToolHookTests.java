package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.spring.approval.TestRedis;

/**
 * All that {@link BudgetToolHook} does, with budgets in a real Redis.
 */
class RedisBudgetToolHookTests extends BudgetToolHookTests {

	@TempDir
	static Path directory;

	private static TestRedis redis;

	private static StringRedisTemplate template;

	@BeforeAll
	static void startRedis() throws IOException {
		redis = TestRedis.start(directory);
		template = redis.template();
	}

	@AfterAll
	static void stopRedis() throws IOException {
		redis.close();
	}

	@BeforeEach
	void deleteAll() {
		template.delete(Objects.requireNonNull(template.keys("*")));
	}

	@Override
	LimitStores stores() {
		return new LimitStores() {

			@Override
			public LimitStore make(String hook, List<WrittenLimit> limits, Duration forgetAfter, int maxKeys) {
				throw new IllegalStateException("A budget is no rate limit");
			}

			@Override
			public BudgetStore budgets(String hook, String what, BudgetTerms terms, InstantSource clock) {
				return new RedisBudgetStore(template, "test", SharedBudget.of(hook, what, terms, SharedLimits.LEASE),
						() -> String.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant())));
			}

		};
	}

}
