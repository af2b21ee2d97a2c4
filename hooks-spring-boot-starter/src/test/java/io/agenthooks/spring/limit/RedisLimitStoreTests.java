package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.approval.RedisExtension;
import io.agenthooks.spring.approval.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link RedisLimitStore} with a real Redis.
 */
class RedisLimitStoreTests extends SharedLimitStoreContract {

	@RegisterExtension
	static final RedisExtension redis = new RedisExtension();

	@Override
	LimitStore open(SharedLimits limits, boolean isVirtual) {
		return open(redis.template(), limits, isVirtual);
	}

	private LimitStore open(StringRedisTemplate redis, SharedLimits limits, boolean isVirtual) {
		return (isVirtual) ? new RedisLimitStore(redis, "test", limits, () -> String.valueOf(this.clock.get() / 1_000))
				: new RedisLimitStore(redis, "test", limits);
	}

	@Test
	void allKeysExpire() {
		LimitStore store = limits("2 per 1m", "3 per session");
		entered(store, "a");
		assertThat(passing(store, "b", 1)).isEqualTo(1);
		store.remember("b", "call");
		assertThat(Objects.requireNonNull(redis.template().keys("*"))).hasSizeGreaterThanOrEqualTo(4)
			.allSatisfy((key) -> assertThat(redis.template().getExpire(key)).isPositive());
	}

	@Test
	void whatIsGivenBackWhollyIsNotKept() {
		LimitStore store = limits("2 per 1m");
		store.leave(entered(store, "a"), false);
		assertThat(redis.template().keys("*")).isEmpty();
	}

	@Test
	void callIsOneRoundTripAndASecondOneIfItHasAPlace() throws IOException {
		try (RoundTrips trips = new RoundTrips(redis.server().port())) {
			LettuceConnectionFactory client = redis.server().clientAt(trips.port());
			LimitStore store = open(new StringRedisTemplate(client),
					SharedLimits.of("trips", List.of(WrittenLimit.of("3 per session"), WrittenLimit.of("9 per 1d")),
							Duration.ofDays(1), 1_000, SharedLimits.LEASE),
					false);
			// The first use connects, and loads the script.
			store.leave(entered(store, "first"), true);
			for (int i = 0; i < 3; i++) {
				String call = "call" + i;
				assertThat(trips.of(() -> assertThat(store.take("k", call)).isInstanceOf(LimitStore.Enough.class)))
					.isOne();
			}
			assertThat(trips.of(() -> assertThat(store.take("k")).isInstanceOf(LimitStore.UsedUp.class))).isOne();
			assertThat(trips.of(() -> store.leave(entered(store, "other"), true))).isEqualTo(2);
			client.destroy();
		}
	}

	@Test
	void scriptRunsInACluster(@TempDir Path files) throws IOException {
		try (TestRedis cluster = TestRedis.startCluster(files)) {
			LimitStore store = open(cluster.template(), SharedLimits.NONE, false);
			assertThat(store.take("k", "call")).isInstanceOf(LimitStore.Enough.class);
			store.remember("k", "call");
			assertThat(store.take("k", "call")).isInstanceOf(LimitStore.Enough.class);
		}
	}

	@Test
	void redisThatIsAwayFailsAndIsDownUntilItIsBackWithEverything(@TempDir Path files) throws IOException {
		try (TestRedis own = TestRedis.startDurable(files)) {
			LimitStore store = new WatchedLimits(open(
					new StringRedisTemplate(own.client(Duration.ofSeconds(2))), SharedLimits.of("h",
							List.of(WrittenLimit.of("3 per session")), Duration.ofDays(1), 10, SharedLimits.LEASE),
					false));
			assertThat(store.health().state()).isEqualTo(HookHealth.State.UNKNOWN);
			LimitStore.Place place = entered(store, "k");
			assertThat(passing(store, "k", 1)).isEqualTo(1);
			assertThat(store.health().state()).isEqualTo(HookHealth.State.UP);
			own.stop();
			assertThatException().isThrownBy(() -> store.take("k"));
			assertThatException().isThrownBy(() -> store.leave(place, false));
			assertThat(store.health().state()).isEqualTo(HookHealth.State.DOWN);
			own.restart();
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.ignoreExceptions()
				.until(() -> store.look("k") instanceof LimitStore.Enough);
			assertThat(store.health().state()).isEqualTo(HookHealth.State.UP);
			assertThat(passing(store, "k", 2)).isEqualTo(1);
		}
	}

}
