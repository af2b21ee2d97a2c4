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
import io.agenthooks.spring.approval.RedisExtension;
import io.agenthooks.spring.approval.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link RedisBudgetStore} with a real Redis.
 */
class RedisBudgetStoreTests extends SharedBudgetStoreContract {

	@RegisterExtension
	static final RedisExtension redis = new RedisExtension();

	@Override
	BudgetStore open(SharedBudget budget, boolean isVirtual) {
		return (isVirtual) ? new RedisBudgetStore(redis.template(), "test", budget, () -> String.valueOf(micros()))
				: new RedisBudgetStore(redis.template(), "test", budget);
	}

	private static SharedBudget tenOfADay() {
		return SharedBudget.of(
				"ten", "calls", new BudgetTerms(BigDecimal.TEN, "day", BudgetPeriod.DAY, ZoneOffset.UTC,
						new LimitKey(List.of(), null), Missing.DENY, BigDecimal.ONE.negate(), 10, Duration.ofHours(1)),
				SharedLimits.LEASE);
	}

	@Test
	void allKeysExpireAndHoldNoAmountInTheirNames() {
		BudgetStore store = open(tenOfADay(), true);
		assertThat(store.reserve("a", BigDecimal.ONE)).isInstanceOf(BudgetStore.Enough.class);
		assertThat(Objects.requireNonNull(redis.template().keys("*"))).hasSize(3)
			.allSatisfy((key) -> assertThat(redis.template().getExpire(key)).isPositive());
	}

	/**
	 * As when the connection breaks behind a command, and the client repeats it.
	 */
	@Test
	void commandThatIsRepeatedGivesBackOnceAndReservesOnce() {
		BudgetStore store = open(tenOfADay(), true);
		assertThat(store.take("k", BigDecimal.TEN)).isInstanceOf(BudgetStore.Enough.class);
		SharedBudget budget = tenOfADay();
		RedisScripts scripts = new RedisScripts(redis.template(), "test", budget.entry());
		String born = String.valueOf(micros());
		String four = RedisBudgetStore.text(BigDecimal.valueOf(4));
		for (int i = 0; i < 2; i++) {
			scripts.run(RedisBudgetScript.SCRIPT, RedisBudgetStore.keys("k", "id"),
					arguments("back", budget, "id", four, born));
			assertThat(store.look("k", BigDecimal.valueOf(5))).isInstanceOf(BudgetStore.UsedUp.class);
		}
		String two = RedisBudgetStore.text(BigDecimal.valueOf(2));
		for (int i = 0; i < 3; i++) {
			assertThat(scripts.run(RedisBudgetScript.SCRIPT, RedisBudgetStore.keys("k", "r=" + two),
					arguments("reserve", budget, "r=" + two, two, "")))
				.startsWith("enough");
		}
		assertThat(store.take("k", BigDecimal.valueOf(2))).isInstanceOf(BudgetStore.Enough.class);
		assertThat(store.take("k", BigDecimal.ONE)).isInstanceOf(BudgetStore.UsedUp.class);
	}

	private List<String> arguments(String what, SharedBudget budget, String place, String amount, String born) {
		return List.of(what, String.valueOf(micros()), String.valueOf(budget.lease()), "0", "10",
				RedisBudgetStore.text(BigDecimal.TEN), "", place, amount, "0", born);
	}

	@Test
	@Tag("slow")
	void scriptRunsInACluster(@TempDir Path files) throws IOException {
		try (TestRedis cluster = TestRedis.startCluster(files)) {
			BudgetStore store = new RedisBudgetStore(cluster.template(), "test", tenOfADay());
			assertThat(store.take("k", BigDecimal.TEN)).isInstanceOf(BudgetStore.Enough.class);
		}
	}

	@Test
	void accountThatRedisDroppedIsNotOpenedAnew() {
		BudgetStore store = new WatchedBudgets(open(tenOfADay(), true));
		assertThat(store.take("k", BigDecimal.TEN)).isInstanceOf(BudgetStore.Enough.class);
		String account = Objects.requireNonNull(redis.template().keys("*account:*")).iterator().next();
		redis.template().delete(account);
		String repair = "ZREM '%s' '%s'".formatted(account.replace("account:k", "accounts"), account);
		for (int i = 0; i < 3; i++) {
			assertThatException().isThrownBy(() -> store.take("k", BigDecimal.ONE))
				.withMessageContaining("Redis dropped the account '" + account + "'")
				.withMessageContaining("noeviction")
				.withMessageContaining(repair);
		}
		assertThat(store.health().state()).isEqualTo(HookHealth.State.DOWN);
		assertThat(store.health().details().get("last_failure")).asString().contains("Redis dropped an account");
		// The repair that the message names.
		redis.template().opsForZSet().remove(account.replace("account:k", "accounts"), account);
		assertThat(store.take("k", BigDecimal.ONE)).isInstanceOf(BudgetStore.Enough.class);
		assertThat(store.health().state()).isEqualTo(HookHealth.State.UP);
	}

	@Test
	void placesThatRedisDroppedCountAsUsedUp() {
		BudgetStore store = open(tenOfADay(), true);
		BudgetStore.Place lost = Objects
			.requireNonNull(((BudgetStore.Enough) store.reserve("k", BigDecimal.valueOf(6))).place());
		redis.template().delete(Objects.requireNonNull(redis.template().keys("*places:*")));
		assertThat(store.look("k", BigDecimal.TEN)).isInstanceOfSatisfying(BudgetStore.UsedUp.class, (usedUp) -> {
			assertThat(usedUp.left()).isEqualByComparingTo("4");
			assertThat(usedUp.running()).isFalse();
		});
		BudgetStore.Place next = Objects
			.requireNonNull(((BudgetStore.Enough) store.reserve("k", BigDecimal.valueOf(3))).place());
		store.settle(lost, false);
		store.settle(next, false);
		assertThat(store.look("k", BigDecimal.valueOf(5))).isInstanceOfSatisfying(BudgetStore.UsedUp.class,
				(usedUp) -> assertThat(usedUp.left()).isEqualByComparingTo("4"));
	}

	@Test
	@Tag("slow")
	void redisThatIsAwayFailsAndIsDownUntilItIsBackWithEverything(@TempDir Path files) throws IOException {
		try (TestRedis own = TestRedis.startDurable(files)) {
			BudgetStore store = new WatchedBudgets(new RedisBudgetStore(
					new StringRedisTemplate(own.client(Duration.ofSeconds(2))), "test", tenOfADay()));
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
