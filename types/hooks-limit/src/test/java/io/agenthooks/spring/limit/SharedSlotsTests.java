package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.jdbc.JdbcState;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.jdbc.TestPostgres;
import io.agenthooks.spring.state.Deadline;
import io.agenthooks.spring.state.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link SharedSlots}, with a real Redis, PostgreSQL and H2.
 */
class SharedSlotsTests {

	private static final Duration LONG = Duration.ofMinutes(2);

	private static final JdbcConnectionPool H2 = JdbcConnectionPool
		.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000", "sa", "");

	@TempDir
	static Path directory;

	private static TestRedis redis;

	private static StringRedisTemplate template;

	private static EmbeddedPostgres postgres;

	private static HikariDataSource pool;

	private final List<SharedSlots> opened = new ArrayList<>();

	private final AtomicLong later = new AtomicLong();

	private final String entry = UUID.randomUUID().toString();

	@BeforeAll
	static void start() throws IOException {
		redis = TestRedis.start(directory);
		template = redis.template();
		postgres = TestPostgres.start();
		pool = TestPostgres.pool(postgres);
		H2.setMaxConnections(20);
		for (DataSource database : List.of(H2, pool)) {
			JdbcLimitAutoConfiguration.initialize(database, DatabaseInitializationMode.ALWAYS);
		}
	}

	@AfterAll
	static void stop() throws IOException {
		redis.close();
		pool.close();
		postgres.close();
		H2.dispose();
	}

	/**
	 * Calls of a test that never end must not be renewed once their database is gone.
	 */
	@AfterEach
	void closeAll() {
		this.opened.forEach(SharedSlots::close);
		this.later.set(SharedSlots.FAREWELL.plusNanos(1).toNanos());
		this.opened.forEach(SharedSlots::close);
		assertThat(this.opened).allMatch(SharedSlots::isOver);
	}

	private Leases leases(Store store, int max, Duration lease) {
		return SharedLeases.open(this.entry, max, lease, switch (store) {
			case REDIS -> TestStates.redis(template, null);
			case POSTGRES -> TestStates.jdbc(pool, null);
			case H2 -> TestStates.jdbc(H2, null);
		});
	}

	private SharedSlots node(Store store, int max, Duration lease) {
		SharedSlots slots = new SharedSlots(leases(store, max, lease), lease,
				() -> System.nanoTime() + this.later.get());
		this.opened.add(slots);
		return slots;
	}

	private SharedSlots open(Leases leases, LongSupplier nanoTime) {
		SharedSlots slots = new SharedSlots(leases, SharedSlots.LEASE, () -> nanoTime.getAsLong() + this.later.get());
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
		List<AskedLeases> asked = List.of(new AskedLeases(leases(store, 1, SharedSlots.LEASE)),
				new AskedLeases(leases(store, 1, SharedSlots.LEASE)));
		List<SharedSlots> nodes = asked.stream().map((leases) -> open(leases, System::nanoTime)).toList();
		Slots.Slot first = entered(nodes.get(0));
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			List<Future<Slots.Slot>> waiting = new ArrayList<>();
			for (SharedSlots node : nodes) {
				waiting.add(threads.submit(() -> Objects.requireNonNull(node.enter("k", LONG))));
			}
			Awaitility.await().atMost(LONG).until(() -> asked.stream().allMatch((one) -> one.refused.get() > 0));
			assertThat(waiting).noneMatch(Future::isDone);
			nodes.get(0).leave(first);
			Awaitility.await().atMost(LONG).until(() -> waiting.get(0).isDone() || waiting.get(1).isDone());
			int entered = (waiting.get(0).isDone()) ? 0 : 1;
			int refused = asked.get(1 - entered).refused.get();
			Awaitility.await().atMost(LONG).until(() -> asked.get(1 - entered).refused.get() > refused);
			assertThat(waiting.get(1 - entered).isDone()).isFalse();
			nodes.get(entered).leave(waiting.get(entered).get());
			assertThat(waiting.get(1 - entered).get()).isNotNull();
		}
		finally {
			threads.shutdownNow();
		}
	}

	@ParameterizedTest
	@EnumSource
	void placesOfANodeThatWasKilledEndWithTheirLease(Store store) throws InterruptedException {
		assertThat(leases(store, 1, Duration.ofMillis(1)).enter("k", "killed")).isTrue();
		assertThat(node(store, 1, SharedSlots.LEASE).enter("k", LONG)).isNotNull();
	}

	/**
	 * A lease of its own is over at once, and the renewed one is not.
	 */
	@ParameterizedTest
	@EnumSource
	void callThatTakesLongerThanItsLeaseKeepsItsPlace(Store store) throws InterruptedException {
		Leases brief = leases(store, 1, Duration.ofMillis(1));
		AtomicLong clock = new AtomicLong();
		AskedLeases renewed = new AskedLeases(leases(store, 1, SharedSlots.LEASE));
		renewed.enterBy = brief;
		SharedSlots slow = open(renewed, clock::get);
		Slots.Slot running = entered(slow);
		SharedSlots other = node(store, 1, SharedSlots.LEASE);
		Awaitility.await().atMost(LONG).until(() -> other.hasRoom("k"));
		clock.addAndGet(SharedSlots.LEASE.toNanos() / 3);
		slow.renew();
		assertThat(other.enter("k", Duration.ZERO)).isNull();
		slow.leave(running);
		assertThat(other.enter("k", Duration.ZERO)).isNotNull();
	}

	@ParameterizedTest
	@EnumSource
	void neverMoreRunAtTheSameTimeOnTwoNodes(Store store) throws Exception {
		List<SharedSlots> nodes = List.of(node(store, 3, SharedSlots.LEASE), node(store, 3, SharedSlots.LEASE));
		ExecutorService threads = Executors.newFixedThreadPool(12);
		try {
			for (int round = 0; round < 10; round++) {
				CountDownLatch begin = new CountDownLatch(1);
				List<Future<Slots.@Nullable Slot>> callers = new ArrayList<>();
				for (int i = 0; i < 12; i++) {
					SharedSlots node = nodes.get(i % 2);
					callers.add(threads.submit(() -> {
						begin.await();
						return node.enter("k", Duration.ZERO);
					}));
				}
				begin.countDown();
				// Nobody leaves before all were answered.
				List<Runnable> leave = new ArrayList<>();
				for (int i = 0; i < callers.size(); i++) {
					SharedSlots node = nodes.get(i % 2);
					Slots.Slot slot = callers.get(i).get();
					if (slot != null) {
						leave.add(() -> node.leave(slot));
					}
				}
				assertThat(leave).hasSize(3);
				for (SharedSlots node : nodes) {
					assertThat(node.enter("k", Duration.ZERO)).isNull();
					assertThat(node.hasRoom("k")).isFalse();
				}
				leave.forEach(Runnable::run);
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(nodes.get(0).hasRoom("k")).isTrue();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REDIS")
	void renewalForWhichThereIsNoTimeWaitsForNobodyElse(Store store) throws Exception {
		DataSource database = (store == Store.H2) ? H2 : postgres.getPostgresDatabase();
		OwnTransactions patient = new OwnTransactions(database, Duration.ofSeconds(60));
		Leases leases = SharedLeases.open(this.entry, 1, SharedSlots.LEASE,
				JdbcState.store(patient, patient, TestStates.sql(database, null)));
		assertThat(leases.enter("k", "id")).isTrue();
		CountDownLatch locked = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(3);
		try {
			Future<Integer> other = threads.submit(() -> patient.write(() -> {
				int rows = patient.client()
					.sql("update agent_hooks_limit set kept = kept where hook = ?")
					.params(this.entry)
					.update();
				locked.countDown();
				try {
					goOn.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				return rows;
			}));
			locked.await();
			Callable<Boolean> atOnce = () -> Deadline.within(Duration.ofSeconds(20), () -> {
				leases.renew("k", "id");
				return true;
			});
			Future<?> waiting = threads.submit(() -> leases.renew("k", "id"));
			assertThat(threads.submit(atOnce)).failsWithin(Duration.ofSeconds(30))
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(DataAccessException.class);
			assertThat(waiting).isNotDone();
			goOn.countDown();
			assertThat(other).succeedsWithin(LONG);
			assertThat(waiting).succeedsWithin(LONG);
			assertThat(threads.submit(atOnce)).succeedsWithin(LONG);
		}
		finally {
			goOn.countDown();
			threads.shutdownNow();
		}
	}

	@Test
	void redisThatForgotKnowsAgainWhoRuns(@TempDir Path files) throws Exception {
		try (TestRedis own = TestRedis.start(files)) {
			StringRedisTemplate client = new StringRedisTemplate(own.client(Duration.ofSeconds(2)));
			AtomicLong clock = new AtomicLong();
			SharedSlots slots = open(SharedLeases.open(this.entry, 1, Duration.ofSeconds(10),
					TestStates.redis(client, Duration.ofSeconds(2), null)), clock::get);
			Slots.Slot running = entered(slots);
			own.stop();
			assertThatException().isThrownBy(() -> slots.enter("k", Duration.ZERO));
			assertThat(slots.health().state()).isEqualTo(HookHealth.State.DOWN);
			own.restart();
			clock.addAndGet(SharedSlots.LEASE.toNanos() / 3);
			// The renewal enters it again.
			Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> {
				slots.renew();
				return !slots.hasRoom("k");
			});
			slots.leave(running);
			// There may have been others.
			assertThat(slots.hasRoom("k")).isFalse();
			Awaitility.await().atMost(LONG).until(() -> slots.hasRoom("k"));
		}
	}

	/**
	 * Where it is kept who runs.
	 */
	enum Store {

		REDIS, POSTGRES, H2

	}

	/**
	 * Leases that count whom they had no room for.
	 */
	private static final class AskedLeases implements Leases {

		private final AtomicInteger refused = new AtomicInteger();

		private final Leases leases;

		private Leases enterBy;

		AskedLeases(Leases leases) {
			this.leases = leases;
			this.enterBy = leases;
		}

		@Override
		public boolean enter(String key, String id) {
			boolean entered = this.enterBy.enter(key, id);
			this.refused.addAndGet((entered) ? 0 : 1);
			return entered;
		}

		@Override
		public void renew(String key, String id) {
			this.leases.renew(key, id);
		}

		@Override
		public void leave(String key, String id) {
			this.leases.leave(key, id);
		}

		@Override
		public boolean hasRoom(String key) {
			return this.leases.hasRoom(key);
		}

	}

}
