package io.agenthooks.spring.limit;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.state.RedisExtension;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link BudgetStore} with a real Redis.
 */
class RedisBudgetStoreTests extends SharedBudgetStoreContract {

	@RegisterExtension
	static final RedisExtension redis = new RedisExtension();

	@Override
	StateStore states(boolean isVirtual) {
		return TestStates.redis(redis.template(), (isVirtual) ? this::micros : null);
	}

	private static SharedBudget tenOfADay() {
		return SharedBudget.of("ten", "calls",
				new BudgetTerms(BigDecimal.TEN, "day", BudgetPeriod.DAY, ZoneOffset.UTC, new LimitKey(List.of(), null),
						OnMissingKey.DENY, BigDecimal.ONE.negate(), 10, Duration.ofHours(1)),
				SharedLimits.MAX_PLACES, SharedLimits.LEASE);
	}

	@Test
	void allKeysExpireAndHoldNoAmountInTheirNames() {
		BudgetStore store = open(tenOfADay(), true);
		assertThat(store.reserve("a", BigDecimal.ONE)).isInstanceOf(BudgetStore.Enough.class);
		assertThat(Objects.requireNonNull(redis.template().keys("*"))).hasSize(2)
			.allSatisfy((key) -> assertThat(redis.template().getExpire(key)).isPositive());
	}

	@Test
	void accountThatRedisDroppedIsNotOpenedAnew() {
		BudgetStore store = BudgetStore.open(tenOfADay(), TestStates.watched(states(true)));
		assertThat(store.take("k", BigDecimal.TEN)).isInstanceOf(BudgetStore.Enough.class);
		String account = Objects.requireNonNull(redis.template().keys("*key:*")).iterator().next();
		redis.template().delete(account);
		String repair = "ZREM '%s' '%s'".formatted(account.replace("key:k", "keys"), account);
		for (int i = 0; i < 3; i++) {
			assertThatException().isThrownBy(() -> store.take("k", BigDecimal.ONE))
				.withMessageContaining("Redis dropped what was kept under '" + account + "'")
				.withMessageContaining("noeviction")
				.withMessageContaining(repair);
		}
		assertThat(store.health().state()).isEqualTo(HookHealth.State.DOWN);
		assertThat(store.health().details().get("last_failure")).asString().contains("Redis dropped what was kept");
		// The repair that the message names.
		redis.template().opsForZSet().remove(account.replace("key:k", "keys"), account);
		assertThat(store.take("k", BigDecimal.ONE)).isInstanceOf(BudgetStore.Enough.class);
		assertThat(store.health().state()).isEqualTo(HookHealth.State.UP);
	}

	@Test
	@Tag("slow")
	void redisThatIsAwayFailsAndIsDownUntilItIsBackWithEverything(@TempDir Path files) throws IOException {
		try (TestRedis own = TestRedis.startDurable(files)) {
			BudgetStore store = BudgetStore.open(tenOfADay(), TestStates
				.watched(TestStates.redis(new StringRedisTemplate(own.client(Duration.ofSeconds(2))), null)));
			assertThat(store.take("k", BigDecimal.valueOf(6))).isInstanceOf(BudgetStore.Enough.class);
			assertThat(store.health().state()).isEqualTo(HookHealth.State.UP);
			own.stop();
			assertThatException().isThrownBy(() -> store.take("k", BigDecimal.ONE));
			assertThatException().isThrownBy(() -> store.check("k"));
			assertThat(store.health().state()).isEqualTo(HookHealth.State.DOWN);
			own.restart();
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.ignoreExceptions()
				.until(() -> store.look("k", BigDecimal.valueOf(4)) instanceof BudgetStore.Enough);
			assertThat(store.health().state()).isEqualTo(HookHealth.State.UP);
			assertThat(store.take("k", BigDecimal.valueOf(5))).isInstanceOf(BudgetStore.UsedUp.class);
		}
	}

}
