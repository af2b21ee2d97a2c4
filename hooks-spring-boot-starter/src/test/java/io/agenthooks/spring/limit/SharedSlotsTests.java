package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.approval.TestPostgres;
import io.agenthooks.spring.approval.TestRedis;
import io.agenthooks.spring.jdbc.OwnTransactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link SharedSlots}, with a real Redis, PostgreSQL and H2.
 */
class SharedSlotsTests {

	private static final Duration LONG = Duration.ofMinutes(2);

	private static final JdbcConnectionPool H2 = JdbcConnectionPool
		.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

	@TempDir
	static Path directory;

	private static TestRedis redis;

	private static StringRedisTemplate template;

	private static EmbeddedPostgres postgres;

	private final List<SharedSlots> opened = new ArrayList<>();

	private final String entry = UUID.randomUUID().toString();

	@BeforeAll
	static void start() throws IOException {
		redis = TestRedis.start(directory);
		template = redis.template();
		postgres = TestPostgres.start();
		H2.setMaxConnections(20);
		for (DataSource database : List.of(H2, postgres.getPostgresDatabase())) {
			JdbcLimitAutoConfiguration.initialize(database, DatabaseInitializationMode.ALWAYS);
		}
	}

	@AfterAll
	static void stop() throws IOException {
		redis.close();
		postgres.close();
		H2.dispose();
	}

	@AfterEach
	void closeAll() {
		this.opened.forEach(SharedSlots::close);
	}

	private Leases leases(Store store, int max, Duration lease) {
		return switch (store) {
			case REDIS -> new RedisLeases(template, "test", this.entry, max, lease);
			case POSTGRES -> jdbc(postgres.getPostgresDatabase(), "PostgreSQL", max, lease);
			case H2 -> jdbc(H2, "H2", max, lease);
		};
	}

	private Leases jdbc(DataSource database, String product, int max, Duration lease) {
		return new JdbcLeases(new OwnTransactions(database), Objects.requireNonNull(LimitSql.of(product)), this.entry,
				max, lease);
	}

	private SharedSlots node(Store store, int max, Duration lease) {
		SharedSlots slots = new SharedSlots(leases(store, max, lease), lease);
		this.opened.add(slots);
		return slots;
	}

	private static Slots.Slot entered(Slots slots) throws InterruptedException {
		return Objects.requireNonNull(slots.enter("k", Duration.ZERO));
	}

	@ParameterizedTest
	@EnumSource
	void soManyRunOnAllNodesAndEachIsReleasedOnce(Store store) throws InterruptedException {
		SharedSlots one = node(store, 2, SharedSlots.LEASE);
		SharedSlots two = node(store, 2, SharedSlots.LEASE);
		Slots.Slot first = entered(one);
		entered(two);
		assertThat(one.enter("k", Duration.ZERO)).isNull();
		assertThat(two.enter("k", Duration.ofMillis(20))).isNull();
		assertThat(two.hasRoom("k")).isFalse();
		assertThat(two.enter("other", Duration.ZERO)).isNotNull();
		one.leave(first);
		one.leave(first);
		assertThat(two.hasRoom("k")).isTrue();
		entered(two);
		one.leave(first);
		assertThat(one.enter("k", Duration.ZERO)).isNull();
		assertThat(one.running()).isZero();
		assertThat(one.health().state()).isEqualTo(HookHealth.State.UP);
	}

	@ParameterizedTest
	@EnumSource
	void callWaitsUntilAnotherNodeHasEnded(Store store) throws Exception {
		SharedSlots one = node(store, 1, SharedSlots.LEASE);
		SharedSlots two = node(store, 1, SharedSlots.LEASE);
		Slots.Slot first = entered(one);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			List<Future<Slots.Slot>> waiting = new ArrayList<>();
			for (SharedSlots node : List.of(one, two)) {
				waiting.add(threads.submit(() -> Objects.requireNonNull(node.enter("k", LONG))));
			}
			assertThat(waiting).noneMatch(Future::isDone);
			one.leave(first);
			Awaitility.await().atMost(LONG).until(() -> waiting.get(0).isDone() || waiting.get(1).isDone());
			int entered = (waiting.get(0).isDone()) ? 0 : 1;
			assertThat(waiting.get(1 - entered).isDone()).isFalse();
			List.of(one, two).get(entered).leave(waiting.get(entered).get());
			assertThat(waiting.get(1 - entered).get()).isNotNull();
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * A node that is closed renews as little as one that was killed.
	 */
	@ParameterizedTest
	@EnumSource
	void placesOfANodeThatIsGoneEndWithTheirLease(Store store) throws InterruptedException {
		SharedSlots killed = node(store, 1, Duration.ofSeconds(3));
		entered(killed);
		killed.close();
		SharedSlots other = node(store, 1, Duration.ofSeconds(3));
		assertThat(other.enter("k", Duration.ZERO)).isNull();
		assertThat(other.enter("k", LONG)).isNotNull();
	}

	@ParameterizedTest
	@EnumSource
	void callThatTakesLongerThanItsLeaseKeepsItsPlace(Store store) throws InterruptedException {
		Duration lease = Duration.ofSeconds(4);
		SharedSlots slow = node(store, 1, lease);
		Slots.Slot running = entered(slow);
		SharedSlots other = node(store, 1, lease);
		assertThat(other.enter("k", lease.multipliedBy(2))).isNull();
		slow.leave(running);
		assertThat(other.enter("k", Duration.ZERO)).isNotNull();
	}

	@ParameterizedTest
	@EnumSource
	void neverMoreRunAtTheSameTimeOnTwoNodes(Store store) throws Exception {
		SharedSlots one = node(store, 3, SharedSlots.LEASE);
		SharedSlots two = node(store, 3, SharedSlots.LEASE);
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		ExecutorService threads = Executors.newFixedThreadPool(12);
		try {
			List<Callable<Boolean>> callers = new ArrayList<>();
			for (int i = 0; i < 60; i++) {
				SharedSlots node = (i % 2 == 0) ? one : two;
				callers.add(() -> {
					Slots.Slot slot = Objects.requireNonNull(node.enter("k", LONG));
					most.accumulateAndGet(running.incrementAndGet(), Math::max);
					Thread.onSpinWait();
					running.decrementAndGet();
					node.leave(slot);
					return true;
				});
			}
			for (Future<Boolean> caller : threads.invokeAll(callers)) {
				assertThat(caller.get()).isTrue();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(most.get()).isBetween(1, 3);
		assertThat(one.hasRoom("k")).isTrue();
	}

	@Test
	void redisThatForgotKnowsAgainWhoRuns(@TempDir Path files) throws Exception {
		Duration lease = Duration.ofSeconds(2);
		try (TestRedis own = TestRedis.start(files)) {
			StringRedisTemplate client = new StringRedisTemplate(own.client(Duration.ofSeconds(2)));
			SharedSlots slots = new SharedSlots(new RedisLeases(client, "test", this.entry, 1, lease), lease);
			this.opened.add(slots);
			Slots.Slot running = entered(slots);
			own.stop();
			assertThatException().isThrownBy(() -> slots.enter("k", Duration.ZERO));
			assertThat(slots.health().state()).isEqualTo(HookHealth.State.DOWN);
			own.restart();
			// The renewal enters it again.
			Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> !slots.hasRoom("k"));
			slots.leave(running);
			assertThat(slots.hasRoom("k")).isTrue();
		}
	}

	/**
	 * Where it is kept who runs.
	 */
	enum Store {

		REDIS, POSTGRES, H2

	}

}
