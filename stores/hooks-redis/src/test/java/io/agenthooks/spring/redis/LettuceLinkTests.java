package io.agenthooks.spring.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.spring.state.Deadline;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.TestRedis;
import io.agenthooks.spring.state.TestTexts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LettuceLink} and {@link BoundedScripts} with a real Redis that does
 * not answer, and a client that would wait for it for a minute.
 */
class LettuceLinkTests {

	/** That of Lettuce, unless somebody writes another one. */
	private static final Duration CLIENT = Duration.ofMinutes(1);

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	/** Far below that of the client, and enough for a busy machine. */
	private static final Duration SOON = Duration.ofSeconds(10);

	private static final Duration LONG = Duration.ofSeconds(30);

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
	void deleteAll() throws IOException {
		redis.thaw();
		template.delete(Objects.requireNonNull(template.keys("*")));
	}

	private static Counter store(LettuceConnectionFactory client, Duration timeout) {
		return new Counter(new RedisState<>(BoundedScripts.templates(client).apply(timeout), "test",
				TestTexts.terms(10), timeout, null));
	}

	private static int passing(Counter store, int calls) {
		int passed = 0;
		for (int i = 0; i < calls; i++) {
			passed += (store.take("k")) ? 1 : 0;
		}
		return passed;
	}

	private static void isLateSoon(Counter store) {
		long start = System.nanoTime();
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> store.take("k"));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
	}

	@Test
	void frozenRedisIsWaitedForNoLongerThanTheTimeoutAndAnswersWhenItGoesOn() throws IOException {
		Counter slow = store(redis.client(CLIENT), LONG);
		Counter store = store(redis.client(CLIENT), TIMEOUT);
		assertThat(passing(slow, 1)).isOne();
		Awaitility.await().ignoreExceptions().until(() -> passing(store, 1) == 1);
		redis.freeze();
		isLateSoon(store);
		isLateSoon(store);
		redis.thaw();
		// What was sent cannot be taken back, so at most two more were counted.
		Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> store.take("other"));
		assertThat(passing(slow, 4)).isBetween(0, 1);
	}

	@Test
	void redisThatTakesTheConnectionAndSaysNothingIsWaitedForNoLonger() throws IOException {
		Counter store = store(redis.client(CLIENT), TIMEOUT);
		redis.freeze();
		isLateSoon(store);
		isLateSoon(store);
		redis.thaw();
		Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> passing(store, 1) == 1);
	}

	/**
	 * Whoever gets a connection of the factory for the first time keeps all others from
	 * it.
	 */
	@Test
	void factoryThatIsBusyIsWaitedForNoLonger() throws IOException {
		LettuceConnectionFactory client = redis.client(CLIENT);
		redis.freeze();
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> client.getConnection().close());
		isLateSoon(store(client, TIMEOUT));
		assertThat(other).isNotDone();
		redis.thaw();
		assertThat(other).succeedsWithin(LONG);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void commandsThatWereGivenUpAreNotSentWhenRedisIsBack(boolean isCluster, @TempDir Path files) throws IOException {
		try (TestRedis own = (isCluster) ? TestRedis.startCluster(files) : TestRedis.start(files)) {
			LettuceLink link = new LettuceLink(own.client(CLIENT));
			assertThat(count(link, "counter", LONG)).isOne();
			own.stop();
			for (int i = 0; i < 4; i++) {
				assertThatException().isThrownBy(() -> count(link, "counter", TIMEOUT));
			}
			own.restart();
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.ignoreExceptions()
				.until(() -> count(link, "other", LONG) > 0);
			// It forgot the first one, too.
			assertThat(count(link, "counter", LONG)).isOne();
		}
	}

	private static long count(LettuceLink link, String name, Duration timeout) {
		byte[] key = name.getBytes(StandardCharsets.UTF_8);
		return Objects.requireNonNull(link.<Long>use(key, Deadline.of(timeout), (commands) -> commands.incr(key)));
	}

	@Test
	void commandThatIsWaitedForIsSentWhenRedisIsBack(@TempDir Path files) throws IOException {
		try (TestRedis own = TestRedis.startDurable(files)) {
			Counter patient = store(own.client(CLIENT), Duration.ofMinutes(1));
			assertThat(passing(patient, 1)).isOne();
			own.stop();
			CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> passing(patient, 1));
			own.restart();
			assertThat(waiting).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(1);
			assertThat(passing(patient, 4)).isOne();
		}
	}

	@Test
	void connectionOfAFactoryThatWasStartedAgainIsUsed() {
		LettuceConnectionFactory client = redis.client(CLIENT);
		Counter store = store(client, LONG);
		assertThat(passing(store, 1)).isOne();
		client.stop();
		assertThatException().isThrownBy(() -> store.take("k"));
		client.start();
		assertThat(passing(store, 4)).isEqualTo(2);
	}

	@Test
	void factoryThatSharesNoConnectionIsAskedForOne() {
		LettuceConnectionFactory client = redis.client(CLIENT);
		client.setShareNativeConnection(false);
		Counter store = store(client, LONG);
		assertThat(passing(store, 1)).isOne();
		int connected = connected();
		assertThat(passing(store, 4)).isEqualTo(2);
		assertThat(connected()).isEqualTo(connected);
	}

	private static int connected() {
		return Objects.requireNonNull(template.getClientList()).size();
	}

	@Test
	void interruptedThreadGetsItsAnswerAndStaysInterrupted() {
		Counter store = store(redis.client(CLIENT), LONG);
		Thread.currentThread().interrupt();
		try {
			assertThat(passing(store, 1)).isOne();
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			boolean unused = Thread.interrupted();
		}
	}

	/**
	 * Lettuce keeps what was sent until it is answered.
	 */
	@Test
	void silentRedisIsAskedByOneCallNowAndThenWhenManyHadNoAnswer() throws IOException {
		LettuceLink link = new LettuceLink(redis.client(CLIENT), 3);
		assertThat(ping(link, LONG)).isEqualTo("PONG");
		redis.freeze();
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> ping(link, Duration.ofMillis(1)));
		}
		CompletableFuture<String> probe = CompletableFuture.supplyAsync(() -> ping(link, LONG));
		Awaitility.await()
			.atMost(LONG)
			.untilAsserted(() -> assertThatExceptionOfType(QueryTimeoutException.class)
				.isThrownBy(() -> ping(link, Duration.ofMillis(1)))
				.withMessageContaining("is asked again now and then"));
		redis.thaw();
		assertThat(probe).succeedsWithin(LONG).isEqualTo("PONG");
		assertThat(ping(link, LONG)).isEqualTo("PONG");
	}

	@Test
	void answersAboutOtherKeysDoNotCountForThoseThatHaveNone() {
		LettuceLink link = new LettuceLink(redis.client(CLIENT), 3);
		byte[] silent = "{silent}".getBytes(StandardCharsets.UTF_8);
		for (int i = 0; i < 4; i++) {
			assertThat(ping(link, LONG)).isEqualTo("PONG");
			assertThatExceptionOfType(QueryTimeoutException.class)
				.isThrownBy(() -> link.use(silent, Deadline.of(Duration.ofMillis(1)),
						(commands) -> new CompletableFuture<String>()))
				.withMessage("Redis did not answer in time");
		}
		assertThat(ping(link, LONG)).isEqualTo("PONG");
		isAskedNowAndThen(() -> ping(link, "{silent}", LONG));
	}

	private static void isAskedNowAndThen(ThrowingCallable use) {
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(use)
			.withMessageContaining("is asked again now and then");
	}

	@Test
	void commandThatTheClientGivesUpEarlierHadNoAnswerEither() throws IOException {
		LettuceLink link = new LettuceLink(redis.client(TIMEOUT), 1);
		Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> ping(link, LONG).equals("PONG"));
		redis.freeze();
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> ping(link, LONG));
		}
		isAskedNowAndThen(() -> ping(link, LONG));
		redis.thaw();
		Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> ping(link, LONG).equals("PONG"));
	}

	@Test
	void nothingMoreIsKeptForARedisThatIsAway(@TempDir Path files) throws IOException {
		try (TestRedis own = TestRedis.start(files)) {
			LettuceLink link = new LettuceLink(own.client(CLIENT), 3);
			assertThat(ping(link, LONG)).isEqualTo("PONG");
			own.stop();
			isNotSent(() -> ping(link, Duration.ofMillis(100)));
			AtomicInteger sent = new AtomicInteger();
			Callable<String> asks = () -> link.use("{h}".getBytes(StandardCharsets.UTF_8), Deadline.of(SOON),
					(commands) -> {
						sent.incrementAndGet();
						return commands.ping();
					});
			isNotSent(asks::call);
			assertThat(sent).hasValue(0);
			own.restart();
			Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> asks.call() != null);
		}
	}

	/** So many had no answer that what is asked is not even sent. */
	private static void isNotSent(ThrowingCallable asks) {
		Awaitility.await()
			.atMost(LONG)
			.untilAsserted(() -> assertThatExceptionOfType(RedisConnectionFailureException.class).isThrownBy(asks)
				.withMessage("There is no connection to Redis"));
	}

	/**
	 * As that of a machine without another thread.
	 */
	@Test
	void errorWhileConnectingIsToldAndTheNextUseConnects() {
		LettuceConnectionFactory client = redis.client(CLIENT);
		AtomicBoolean isBroken = new AtomicBoolean(true);
		LettuceConnectionFactory broken = new LettuceConnectionFactory(client.getStandaloneConfiguration()) {

			@Override
			public RedisConnection getConnection() {
				if (isBroken.getAndSet(false)) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				return client.getConnection();
			}

		};
		LettuceLink link = new LettuceLink(broken);
		assertThatExceptionOfType(RedisSystemException.class).isThrownBy(() -> ping(link, LONG))
			.withCauseInstanceOf(OutOfMemoryError.class);
		assertThat(ping(link, LONG)).isEqualTo("PONG");
	}

	@Test
	void connectionInheritsNothingOfTheFirstCaller() {
		LettuceLink link = new LettuceLink(redis.client(CLIENT));
		AtomicInteger inherited = new AtomicInteger();
		InheritableThreadLocal<String> secret = new InheritableThreadLocal<>() {

			@Override
			protected String childValue(String parent) {
				inherited.incrementAndGet();
				return parent;
			}

		};
		secret.set("secret");
		try {
			assertThat(ping(link, LONG)).isEqualTo("PONG");
		}
		finally {
			secret.remove();
		}
		assertThat(inherited).hasValue(0);
	}

	private static String ping(LettuceLink link, Duration timeout) {
		return ping(link, "{h}", timeout);
	}

	private static String ping(LettuceLink link, String key, Duration timeout) {
		return Objects.requireNonNull(link.<String>use(key.getBytes(StandardCharsets.UTF_8), Deadline.of(timeout),
				(commands) -> commands.ping()));
	}

	/**
	 * Lets three of each key pass.
	 *
	 * @param state how many passed
	 */
	private record Counter(KeyedState<String> state) {

		boolean take(String key) {
			return this.state.change(key, false, (kept, now) -> {
				int passed = Integer.parseInt(Objects.requireNonNullElse(kept.state(), "0"));
				if (passed < 3) {
					kept.keep(String.valueOf(passed + 1), now + 3_600_000_000L);
				}
				return passed < 3;
			});
		}

	}

}
