package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultScriptExecutor;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.serializer.RedisSerializer;

import io.agenthooks.chain.NotAskedException;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.state.RedisExtension;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.TestRedis;
import io.agenthooks.spring.state.UnusableAnswerException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LimitStore} with a real Redis.
 */
class RedisLimitStoreTests extends SharedLimitStoreContract {

	@RegisterExtension
	static final RedisExtension redis = new RedisExtension();

	@Override
	StateStore states(boolean isVirtual) {
		return TestStates.redis(redis.template(), (isVirtual) ? this::micros : null);
	}

	private static SharedLimits limits(String hook, List<WrittenLimit> limits) {
		return SharedLimits.of(hook, limits, Duration.ofDays(1), 1_000, SharedLimits.MAX_PLACES, SharedLimits.LEASE);
	}

	@Test
	void allKeysExpire() {
		LimitStore store = limits("2 per 1m", "3 per session");
		entered(store, "a");
		assertThat(passing(store, "b", 1)).isEqualTo(1);
		store.remember(List.of("b"), "call");
		assertThat(Objects.requireNonNull(redis.template().keys("*"))).hasSize(3)
			.allSatisfy((key) -> assertThat(redis.template().getExpire(key)).isPositive());
	}

	@Test
	void limitThatRedisDroppedIsNotOpenedAnew() {
		LimitStore store = LimitStore.open(List.of(limits("h", List.of(WrittenLimit.of("5 per session")))),
				TestStates.watched(states(true)));
		assertThat(passing(store, "k", 3)).isEqualTo(3);
		LimitStore.Place place = entered(store, "k");
		redis.template().delete(Objects.requireNonNull(redis.template().keys("*key:*")));
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> store.take(List.of("k"), null))
				.withMessageContaining("Redis dropped")
				.withMessageContaining("noeviction");
		}
		assertThat(store.health().state()).isEqualTo(HookHealth.State.DOWN);
		assertThat(passing(store, "other", 1)).isEqualTo(1);
		assertThat(place).isNotNull();
		// As the message says.
		String keys = Objects.requireNonNull(redis.template().keys("*:keys")).iterator().next();
		redis.template().opsForZSet().remove(keys, keys.replace(":keys", ":key:k"));
		assertThat(passing(store, "k", 6)).isEqualTo(5);
	}

	@Test
	void limitIsCountedOnIfRedisDroppedTheListOfKeys() {
		LimitStore store = limits("5 per session");
		assertThat(passing(store, "k", 3)).isEqualTo(3);
		redis.template().delete(Objects.requireNonNull(redis.template().keys("*:keys")));
		assertThat(passing(store, "k", 9)).isEqualTo(2);
	}

	@Test
	void whatIsGivenBackWhollyIsNotKept() {
		LimitStore store = limits("2 per 1m");
		store.leave(entered(store, "a"), false);
		assertThat(redis.template().keys("*key:*")).isEmpty();
	}

	@Test
	void callIsOneRoundTripAndASecondOneIfItHasAPlace() throws IOException {
		try (RoundTrips trips = new RoundTrips(redis.server().port())) {
			LettuceConnectionFactory client = redis.server().clientAt(trips.port());
			LimitStore store = LimitStore.open(
					List.of(limits("trips", List.of(WrittenLimit.of("3 per session"), WrittenLimit.of("9 per 1d")))),
					TestStates.redis(new StringRedisTemplate(client), null));
			// The first use connects, and loads the script.
			store.leave(entered(store, "first"), true);
			for (int i = 0; i < 3; i++) {
				String call = "call" + i;
				assertThat(trips
					.of(() -> assertThat(store.take(List.of("k"), call)).isInstanceOf(LimitStore.Enough.class)))
					.isOne();
			}
			assertThat(trips.of(() -> assertThat(store.take(List.of("k"), null)).isInstanceOf(LimitStore.UsedUp.class)))
				.isOne();
			assertThat(trips.of(() -> store.leave(entered(store, "other"), true))).isEqualTo(2);
			client.destroy();
		}
	}

	@Test
	@Tag("slow")
	void scriptsRunInACluster(@TempDir Path files) throws IOException {
		try (TestRedis cluster = TestRedis.startCluster(files)) {
			StateStore states = TestStates.redis(cluster.template(), null);
			LimitStore store = LimitStore.open(List.of(limits("h", List.of(WrittenLimit.of("3 per session")))), states);
			assertThat(store.take(List.of("k"), "call")).isInstanceOf(LimitStore.Enough.class);
			store.remember(List.of("k"), "call");
			assertThat(store.take(List.of("k"), "call")).isInstanceOf(LimitStore.Enough.class);
			LoopStore loops = LoopStore.open(LoopSettings.entry("loops"),
					LoopSettings
						.of(new LoopConfig(null, null, new LoopConfig.Steps(0, 1, 0), null, null, 1, null, null)),
					SharedLimits.LEASE, states);
			for (String run : List.of("run", "other")) {
				loops.end(loops.enter(run, "call", "tool").run(), "call", "tool", "same", true);
			}
			assertThat(loops.look("run", "call", "tool").finding().passes()).isTrue();
			assertThat(loops.look("other", "call", "tool").finding().passes()).isFalse();
		}
	}

	@Test
	@Tag("slow")
	void redisThatIsAwayFailsAndIsDownUntilItIsBackWithEverything(@TempDir Path files) throws IOException {
		try (TestRedis own = TestRedis.startDurable(files)) {
			LimitStore store = LimitStore.open(List.of(limits("h", List.of(WrittenLimit.of("3 per session")))),
					TestStates
						.watched(TestStates.redis(new StringRedisTemplate(own.client(Duration.ofSeconds(2))), null)));
			assertThat(store.health().state()).isEqualTo(HookHealth.State.UNKNOWN);
			LimitStore.Place place = entered(store, "k");
			assertThat(passing(store, "k", 1)).isEqualTo(1);
			assertThat(store.health().state()).isEqualTo(HookHealth.State.UP);
			own.stop();
			assertThatException().isThrownBy(() -> store.take(List.of("k"), null));
			assertThatException().isThrownBy(() -> store.leave(place, false));
			assertThat(store.health().state()).isEqualTo(HookHealth.State.DOWN);
			own.restart();
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.ignoreExceptions()
				.until(() -> store.look(List.of("k"), null) instanceof LimitStore.Enough);
			assertThat(store.health().state()).isEqualTo(HookHealth.State.UP);
			assertThat(passing(store, "k", 2)).isEqualTo(1);
		}
	}

	/**
	 * Tests for {@link LoopStore} with the same Redis.
	 */
	@Nested
	class Loops extends SharedLoopStoreContract {

		private static final String TURN = "{test:loops}:turn:key:run";

		@Override
		LoopStore open(String hook, LoopSettings settings) {
			return open(redis.template(), hook, settings);
		}

		private LoopStore open(StringRedisTemplate redis, String hook, LoopSettings settings) {
			return LoopStore.open(LoopSettings.entry(hook), settings, SharedLimits.LEASE,
					TestStates.redis(redis, Duration.ofSeconds(5), this.clock::get));
		}

		@Override
		StateStore states() {
			return TestStates.redis(redis.template(), this.clock::get);
		}

		private static Set<String> runs() {
			return Objects.requireNonNull(redis.template().keys("*:key:*"));
		}

		@Override
		List<String> everything() {
			return runs().stream().map((key) -> key + " " + redis.template().opsForHash().entries(key)).toList();
		}

		@Override
		void replace(String kept) {
			for (String key : runs()) {
				String[] parts = String.valueOf(redis.template().opsForHash().get(key, "state")).split(";", 4);
				redis.template().opsForHash().put(key, "state", String.join(";", parts[0], parts[1], parts[2], kept));
				redis.template().opsForHash().put(key, "version", UUID.randomUUID().toString());
			}
		}

		@Test
		void fieldsThatAreMissingAreRefused() {
			for (String field : List.of("over", "state")) {
				redis.template().delete(Objects.requireNonNull(redis.template().keys("*")));
				LoopStore store = open(DEFAULTS);
				LoopStore.Run run = store.enter("run", "call", "tool").run();
				redis.template().opsForHash().delete(runs().iterator().next(), field);
				assertThatExceptionOfType(UnusableAnswerException.class)
					.isThrownBy(() -> store.enter("run", "call", "tool"));
				assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> store.leave(run));
			}
		}

		@Test
		void allKeysExpire() {
			LoopStore store = open(redis.template(), "loops", LoopSettings.of(DEFAULTS));
			store.end(store.enter("run", "call", "tool").run(), "call", "tool", "same", false);
			// An hour, and as long as a call may take besides.
			assertThat(Objects.requireNonNull(redis.template().keys("*"))).hasSize(2)
				.allSatisfy((key) -> assertThat(redis.template().getExpire(key)).isBetween(140 * 60L, 150 * 60L + 2));
		}

		/**
		 * Another call has its turn, and does not end it.
		 */
		@Test
		void runThatOthersChangeIsWaitedForNoLongerThanTheTimeout() {
			Duration timeout = Duration.ofMillis(100);
			LoopStore store = LoopStore.open("loops", LoopSettings.of(DEFAULTS), SharedLimits.LEASE,
					TestStates.redis(redis.template(), timeout, null));
			redis.template().opsForValue().set(TURN, "other", Duration.ofMinutes(1));
			long start = System.nanoTime();
			assertThatExceptionOfType(NotAskedException.class).isThrownBy(() -> store.enter("run", "call", "tool"));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(timeout, Duration.ofSeconds(4));
		}

		@Test
		void interruptedThreadPausesWhileOthersHaveTheirTurn() {
			LoopStore store = LoopStore.open("loops", LoopSettings.of(DEFAULTS), SharedLimits.LEASE,
					TestStates.redis(redis.template(), null));
			long[] scripts = new long[2];
			for (int i = 0; i < 2; i++) {
				redis.template().opsForValue().set(TURN, "other", Duration.ofMillis(100));
				long before = scripts();
				if (i == 1) {
					Thread.currentThread().interrupt();
				}
				LoopStore.Entered entered = store.enter("run", "call", "tool");
				assertThat(Thread.interrupted()).isEqualTo(i == 1);
				assertThat(entered).isNotNull();
				scripts[i] = scripts() - before;
			}
			assertThat(scripts[1]).isLessThan(3 * scripts[0] + 20);
		}

		private static long scripts() {
			RedisCallback<Properties> info = (connection) -> connection.serverCommands().info("commandstats");
			String stats = String
				.valueOf(Objects.requireNonNull(redis.template().execute(info)).get("cmdstat_evalsha"));
			Matcher matcher = Pattern.compile("calls=(\\d+)").matcher(stats);
			return (matcher.find()) ? Long.parseLong(matcher.group(1)) : 0;
		}

		/**
		 * As by a client that connects again and has not learned of the first answer. The
		 * call wants a turn, as others were in between three times.
		 */
		@Test
		void scriptThatIsSentTwiceIsDoneOnce() {
			LoopSettings settings = LoopSettings.of(DEFAULTS);
			LoopStore other = LoopStore.open("loops", settings, SharedLimits.LEASE,
					TestStates.redis(redis.template(), null));
			StringRedisTemplate twice = new StringRedisTemplate(redis.template().getRequiredConnectionFactory());
			AtomicInteger tries = new AtomicInteger();
			twice.setScriptExecutor(new DefaultScriptExecutor<>(twice) {

				@Override
				public <T extends @Nullable Object> T execute(RedisScript<T> script, RedisSerializer<?> arguments,
						RedisSerializer<T> result, List<String> keys, @Nullable Object... args) {
					if (tries.incrementAndGet() <= 4) {
						other.enter("run", "call", "tool");
					}
					else {
						super.execute(script, arguments, result, keys, args);
					}
					return super.execute(script, arguments, result, keys, args);
				}

			});
			LoopStore store = LoopStore.open("loops", settings, SharedLimits.LEASE, TestStates.redis(twice, null));
			assertThat(store.enter("run", "call", "tool")).isNotNull();
			assertThat(tries).hasValue(5);
			// Nobody has a turn.
			assertThat(redis.template().hasKey(TURN)).isFalse();
		}

		@Test
		void runThatRedisDroppedDeniesUntilItWouldHaveBeenForgotten() {
			LoopStore store = open(DEFAULTS);
			LoopStore.Run run = store.enter("run", "call", "tool").run();
			redis.template().delete(runs());
			assertThatExceptionOfType(UnusableAnswerException.class)
				.isThrownBy(() -> store.end(run, "call", "tool", "same", false));
			assertThat(runs()).isEmpty();
			for (LoopStore node : List.of(store, open(DEFAULTS))) {
				assertThatExceptionOfType(UnusableAnswerException.class)
					.isThrownBy(() -> node.enter("run", "call", "tool"))
					.withMessageContaining("Redis dropped");
			}
			assertThat(store.enter("other", "call", "tool").looked().finding().passes()).isTrue();
			pass(LoopSettings.of(DEFAULTS).forgetAfter().plus(SharedLimits.LEASE));
			assertThat(store.enter("run", "call", "tool").looked().finding().passes()).isTrue();
		}

		@Test
		void callIsOneRoundTripWhenItEntersAndOneWhenItEnds() throws IOException {
			try (RoundTrips trips = new RoundTrips(redis.server().port())) {
				LettuceConnectionFactory client = redis.server().clientAt(trips.port());
				LoopSettings settings = LoopSettings.of(DEFAULTS);
				LoopStore store = open(new StringRedisTemplate(client), "loops", settings);
				LoopStore other = open("loops", settings);
				// The first use connects, and loads the script.
				store.leave(store.enter("first", "call", "tool").run());
				assertThat(trips.of(() -> store.enter("run", "call", "tool"))).isOne();
				for (int i = 0; i < 3; i++) {
					assertThat(trips
						.of(() -> store.end(store.enter("run", "call", "tool").run(), "call", "tool", "same", false)))
						.isEqualTo(2);
					assertThat(trips.of(() -> store.look("run", "call", "tool"))).isOne();
				}
				other.end(other.enter("run", "call", "tool").run(), "call", "tool", "same", false);
				assertThat(trips.of(() -> store.enter("run", "call", "tool"))).isEqualTo(2);
				client.destroy();
			}
		}

		/**
		 * Another one writes whenever this one has read.
		 */
		@Test
		void nodeThatIsAlwaysLateGetsItsTurn() throws Exception {
			AtomicInteger asked = new AtomicInteger();
			StringRedisTemplate near = new StringRedisTemplate(redis.template().getRequiredConnectionFactory()) {

				@Override
				public <T> @Nullable T execute(RedisScript<T> script, List<String> keys, Object... args) {
					asked.incrementAndGet();
					return super.execute(script, keys, args);
				}

			};
			StringRedisTemplate far = new StringRedisTemplate(redis.template().getRequiredConnectionFactory()) {

				@Override
				public <T> @Nullable T execute(RedisScript<T> script, List<String> keys, Object... args) {
					int before = asked.get();
					Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> asked.get() > before + 1);
					return super.execute(script, keys, args);
				}

			};
			AtomicBoolean over = new AtomicBoolean();
			ExecutorService threads = Executors.newSingleThreadExecutor();
			Future<Integer> others = threads.submit(() -> {
				LoopStore store = open(near, "loops", LoopSettings.of(DEFAULTS));
				int calls = 0;
				for (; !over.get(); calls++) {
					store.enter("run", "call", "tool");
				}
				return calls;
			});
			LoopStore late = open(far, "loops", LoopSettings.of(DEFAULTS));
			int calls = 3;
			for (int i = 0; i < calls; i++) {
				assertThat(late.enter("run", "call", "tool").looked().finding().passes()).isTrue();
			}
			over.set(true);
			calls += others.get();
			threads.shutdown();
			assertThat(everything()).singleElement()
				.asString()
				.containsPattern("state=l1;\\d+;[^;]+;1;%d;".formatted(calls));
		}

		/**
		 * The client sends again what the connection broke behind.
		 */
		@Test
		void scriptThatRunsTwiceCountsOnce() {
			StringRedisTemplate twice = new StringRedisTemplate(redis.template().getRequiredConnectionFactory()) {

				@Override
				public <T> @Nullable T execute(RedisScript<T> script, List<String> keys, Object... args) {
					T unused = super.execute(script, keys, args);
					return super.execute(script, keys, args);
				}

			};
			LoopStore store = open(twice, "loops", LoopSettings.of(DEFAULTS));
			for (int i = 0; i < 3; i++) {
				LoopStore.Run run = store.enter("run", "call" + i, "tool").run();
				store.end(run, "call" + i, "tool", "same", false);
				assertThat(store.look("run", "call" + i, "tool").left()).isEqualTo(18);
			}
		}

	}

}
