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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultScriptExecutor;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.serializer.RedisSerializer;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.approval.RedisExtension;
import io.agenthooks.spring.approval.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
		return (isVirtual)
				? new RedisLimitStore(redis, "test", List.of(limits), () -> String.valueOf(this.clock.get() / 1_000))
				: new RedisLimitStore(redis, "test", limits);
	}

	@Test
	void allKeysExpire() {
		LimitStore store = limits("2 per 1m", "3 per session");
		entered(store, "a");
		assertThat(passing(store, "b", 1)).isEqualTo(1);
		store.remember(List.of("b"), "call");
		assertThat(Objects.requireNonNull(redis.template().keys("*"))).hasSizeGreaterThanOrEqualTo(4)
			.allSatisfy((key) -> assertThat(redis.template().getExpire(key)).isPositive());
	}

	@ParameterizedTest
	@ValueSource(strings = { "*key:*", "*places:*" })
	void limitOfWhichRedisDroppedAPartIsNotOpenedAnew(String dropped) {
		LimitStore store = new WatchedLimits(limits("5 per session"));
		assertThat(passing(store, "k", 3)).isEqualTo(3);
		LimitStore.Place place = entered(store, "k");
		redis.template().delete(Objects.requireNonNull(redis.template().keys(dropped)));
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> store.take(List.of("k"), null))
				.withMessageContaining("Redis dropped")
				.withMessageContaining("noeviction");
		}
		assertThat(store.health().state()).isEqualTo(HookHealth.State.DOWN);
		assertThat(passing(store, "other", 1)).isEqualTo(1);
		assertThat(place).isNotNull();
		// As the message says.
		redis.template().delete(Objects.requireNonNull(redis.template().keys("*:k")));
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
			LimitStore store = open(cluster.template(), SharedLimits.NONE, false);
			assertThat(store.take(List.of("k"), "call")).isInstanceOf(LimitStore.Enough.class);
			store.remember(List.of("k"), "call");
			assertThat(store.take(List.of("k"), "call")).isInstanceOf(LimitStore.Enough.class);
			LoopStore loops = new RedisLoopStore(cluster.template(), "test", LoopSettings.entry("loops"), LoopSettings
				.of(new LoopConfig(null, null, new LoopConfig.Steps(0, 1, 0), null, null, 1, null, null)));
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
			LimitStore store = new WatchedLimits(open(
					new StringRedisTemplate(own.client(Duration.ofSeconds(2))), SharedLimits.of("h",
							List.of(WrittenLimit.of("3 per session")), Duration.ofDays(1), 10, SharedLimits.LEASE),
					false));
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
	 * Tests for {@link RedisLoopStore} with the same Redis.
	 */
	@Nested
	class Loops extends SharedLoopStoreContract {

		private static final String TURN = "{test:loops}:turn:run";

		@Override
		LoopStore open(String hook, LoopSettings settings) {
			return open(redis.template(), hook, settings);
		}

		private LoopStore open(StringRedisTemplate redis, String hook, LoopSettings settings) {
			return new RedisLoopStore(redis, "test", LoopSettings.entry(hook), settings, Duration.ofSeconds(5),
					() -> String.valueOf(this.clock.get()));
		}

		private static Set<String> runs() {
			return Objects.requireNonNull(redis.template().keys("*:run:*"));
		}

		@Override
		List<String> everything() {
			return runs().stream().map((key) -> key + " " + redis.template().opsForHash().entries(key)).toList();
		}

		@Override
		void replace(String kept) {
			for (String key : runs()) {
				redis.template().opsForHash().put(key, "calls", kept);
				redis.template().opsForHash().put(key, "version", UUID.randomUUID().toString());
			}
		}

		@Test
		void fieldsThatAreMissingAreRefused() {
			LoopStore store = open(DEFAULTS);
			for (String field : List.of("born", "used", "calls")) {
				redis.template().delete(runs());
				LoopStore.Run run = store.enter("run", "call", "tool").run();
				redis.template().opsForHash().delete(runs().iterator().next(), field);
				assertThatExceptionOfType(UnusableAnswerException.class)
					.isThrownBy(() -> store.enter("run", "call", "tool"));
				assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> store.leave(run));
			}
		}

		@Test
		void allKeysExpire() {
			LoopStore store = new RedisLoopStore(redis.template(), "test", LoopSettings.entry("loops"),
					LoopSettings.of(DEFAULTS));
			store.end(store.enter("run", "call", "tool").run(), "call", "tool", "same", false);
			// An hour, and as long as a call may take besides.
			assertThat(Objects.requireNonNull(redis.template().keys("*"))).hasSize(2)
				.allSatisfy((key) -> assertThat(redis.template().getExpire(key)).isBetween(140 * 60L, 150 * 60L));
		}

		/**
		 * Another call has its turn, and does not end it.
		 */
		@Test
		void runThatOthersChangeIsWaitedForNoLongerThanTheTimeout() {
			Duration timeout = Duration.ofMillis(100);
			LoopStore store = new RedisLoopStore(redis.template(), "test", "loops", LoopSettings.of(DEFAULTS), timeout);
			redis.template().opsForValue().set(TURN, "other", Duration.ofMinutes(1));
			long start = System.nanoTime();
			assertThatIllegalStateException().isThrownBy(() -> store.enter("run", "call", "tool"));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(timeout, Duration.ofSeconds(4));
		}

		@Test
		void interruptedThreadPausesWhileOthersHaveTheirTurn() {
			LoopStore store = new RedisLoopStore(redis.template(), "test", "loops", LoopSettings.of(DEFAULTS));
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
			LoopStore other = new RedisLoopStore(redis.template(), "test", "loops", settings);
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
			LoopStore store = new RedisLoopStore(twice, "test", "loops", settings);
			assertThat(store.enter("run", "call", "tool")).isNotNull();
			assertThat(tries).hasValue(5);
			// Nobody has a turn.
			assertThat(redis.template().hasKey(TURN)).isFalse();
		}

		@Test
		void runThatRedisDroppedBeginsAgain() {
			LoopStore store = open(DEFAULTS);
			LoopStore.Run run = store.enter("run", "call", "tool").run();
			redis.template().delete(runs());
			store.end(run, "call", "tool", "same", false);
			assertThat(runs()).isEmpty();
			LoopStore.Run again = store.enter("run", "call", "tool").run();
			store.end(run, "call", "tool", "same", false);
			assertThat(store.look("run", "call", "tool").left()).isEqualTo(19);
			store.end(again, "call", "tool", "same", false);
			assertThat(store.look("run", "call", "tool").left()).isEqualTo(18);
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
			assertThat(everything()).singleElement().asString().contains("calls=1;%d;".formatted(calls));
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
