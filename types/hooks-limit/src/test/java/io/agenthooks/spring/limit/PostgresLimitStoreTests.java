package io.agenthooks.spring.limit;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.TransactionException;

import io.agenthooks.spring.jdbc.JdbcState;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.jdbc.PostgresExtension;
import io.agenthooks.spring.jdbc.StateSql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link LimitStore} with a real PostgreSQL.
 */
@Tag("slow")
class PostgresLimitStoreTests extends JdbcLimitStoreContract {

	/**
	 * The driver asks for the isolation; then the row is locked, the time is read, the
	 * row is written, and the transaction ends. The driver sends the begin right before
	 * the lock and does not wait for its answer, which may come in between all the same.
	 */
	private static final int TRIPS = 5;

	/** Far below the 10 seconds that others wait, and enough for a busy machine. */
	private static final Duration SOON = Duration.ofSeconds(8);

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@Override
	DataSource database() {
		return postgres.database();
	}

	@Test
	void callIsOneShortTransaction() throws IOException {
		try (RoundTrips trips = new RoundTrips(postgres.server().getPort())) {
			SingleConnectionDataSource connection = new SingleConnectionDataSource(
					"jdbc:postgresql://127.0.0.1:%d/postgres".formatted(trips.port()), "postgres", "", true);
			LimitStore store = LimitStore
				.open(List.of(SharedLimits.of("trips", List.of(WrittenLimit.of("30 per session")), Duration.ofDays(1),
						1_000, SharedLimits.MAX_PLACES, SharedLimits.LEASE)), TestStates.jdbc(connection, null));
			// The first uses purge, count the keys, and let the driver prepare
			// statements.
			assertThat(passing(store, "k", 10)).isEqualTo(10);
			for (int i = 0; i < 10; i++) {
				assertThat(trips
					.of(() -> assertThat(store.take(List.of("k"), null)).isInstanceOf(LimitStore.Enough.class)))
					.isBetween(TRIPS, TRIPS + 1);
			}
			connection.destroy();
		}
	}

	@Test
	void rowThatACallHoldsIsNotWaitedForWhenOldOnesAreRemoved() throws SQLException {
		LimitStore old = limits("1 per 1s");
		assertThat(passing(old, "held", 1)).isOne();
		assertThat(passing(old, "old", 1)).isOne();
		pass(Duration.ofMinutes(1));
		LimitStore store = limits("1 per 1h");
		try (Connection other = database().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("select * from agent_hooks_limit where limit_key = 'held' for update");
			assertThat(passing(store, "k", 1)).isOne();
			assertThat(JdbcClient.create(database())
				.sql("select limit_key from agent_hooks_limit")
				.query(String.class)
				.list()).containsExactlyInAnyOrder("held", "k");
			other.rollback();
		}
	}

	@Test
	void lockOfAnotherIsWaitedForNoLongerThanTheTimeout() throws SQLException {
		assertThat(passing(limits("3 per session"), "k", 1)).isEqualTo(1);
		LimitStore store = quick(database());
		assertThat(passing(store, "k", 1)).isEqualTo(1);
		try (Connection other = database().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("select * from agent_hooks_limit for update");
			long start = System.nanoTime();
			assertThatException().isThrownBy(() -> store.take(List.of("k"), null))
				.isInstanceOfAny(DataAccessException.class, TransactionException.class);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
			other.rollback();
		}
	}

	/**
	 * The process of the connection stands still. A transaction begins with a question of
	 * the driver, for which no statement has a timeout.
	 */
	@Test
	void silentDatabaseIsWaitedForNoLongerThanTheTimeout() throws IOException {
		SingleConnectionDataSource connection = new SingleConnectionDataSource(
				"jdbc:postgresql://127.0.0.1:%d/postgres".formatted(postgres.server().getPort()), "postgres", "", true);
		assertThat(passing(limits("3 per session"), "k", 1)).isEqualTo(1);
		LimitStore store = quick(connection);
		assertThat(passing(store, "k", 1)).isEqualTo(1);
		int process = JdbcClient.create(connection).sql("select pg_backend_pid()").query(Integer.class).single();
		signal("-STOP", process);
		try {
			long start = System.nanoTime();
			assertThatException().isThrownBy(() -> store.take(List.of("k"), null))
				.isInstanceOfAny(DataAccessException.class, TransactionException.class);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
		}
		finally {
			signal("-CONT", process);
			connection.destroy();
		}
	}

	private static LimitStore quick(DataSource dataSource) {
		OwnTransactions transactions = new OwnTransactions(dataSource, Duration.ofMillis(500));
		return LimitStore.open(
				List.of(SharedLimits.of("quick", List.of(WrittenLimit.of("3 per session")), Duration.ofDays(1), 10,
						SharedLimits.MAX_PLACES, SharedLimits.LEASE)),
				JdbcState.store(transactions, transactions, Objects.requireNonNull(StateSql.of("PostgreSQL"))));
	}

	private static void signal(String signal, int process) throws IOException {
		Process kill = new ProcessBuilder("kill", signal, String.valueOf(process)).start();
		assertThat(kill.onExit().join().exitValue()).isZero();
	}

	@Test
	void connectionGetsItsOwnNetworkTimeoutBack() throws SQLException {
		SingleConnectionDataSource one = new SingleConnectionDataSource(
				"jdbc:postgresql://127.0.0.1:%d/postgres".formatted(postgres.server().getPort()), "postgres", "", true);
		OwnTransactions transactions = new OwnTransactions(one, Duration.ofSeconds(2));
		one.getConnection().setNetworkTimeout(Runnable::run, 60_000);
		int within = transactions.write(() -> {
			try {
				return one.getConnection().getNetworkTimeout();
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		});
		assertThat(within).isEqualTo(3_000);
		assertThat(one.getConnection().getNetworkTimeout()).isEqualTo(60_000);
		one.destroy();
	}

	@Test
	void lockOfAnotherIsNotWaitedForWithoutEnd() throws SQLException {
		LimitStore store = limits("3 per session");
		assertThat(passing(store, "k", 1)).isEqualTo(1);
		try (Connection other = database().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("select * from agent_hooks_limit for update");
			long start = System.nanoTime();
			assertThatException().isThrownBy(() -> store.take(List.of("k"), null))
				.isInstanceOfAny(DataAccessException.class, TransactionException.class);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(5),
					Duration.ofSeconds(40));
			other.rollback();
		}
		assertThat(passing(store, "k", 3)).isEqualTo(2);
	}

	/**
	 * Tests for {@link LoopStore} with the same PostgreSQL.
	 */
	@Nested
	class Loops extends JdbcLoopStoreContract {

		private final JdbcConnectionPool pool = pool();

		private static JdbcConnectionPool pool() {
			PGConnectionPoolDataSource connections = new PGConnectionPoolDataSource();
			connections.setURL(postgres.server().getJdbcUrl("postgres", "postgres"));
			JdbcConnectionPool pool = JdbcConnectionPool.create(connections);
			pool.setMaxConnections(20);
			return pool;
		}

		@AfterEach
		void stop() {
			this.pool.dispose();
		}

		/**
		 * Each of them would remove some more than one.
		 */
		@Test
		void fewNewRunsOnNodesAtTheSameTimeForgetFewOthers() throws Exception {
			int max = 400;
			int nodes = 8;
			LoopSettings settings = LoopSettings
				.of(new LoopConfig(null, null, null, null, null, max, Duration.ofHours(1), null));
			for (int i = 0; i < nodes; i++) {
				open("loops", settings).enter("run", "call", "tool");
			}
			JdbcTemplate template = new JdbcTemplate(this.pool);
			long over = this.clock.get() + SharedLimits.micros(Duration.ofHours(1));
			template
				.update("insert into agent_hooks_limit select hook, 'old' || n, ? + n, kept from agent_hooks_limit, "
						+ "generate_series(1, ?) n", over, max - 1);
			List<Callable<LoopStore.Entered>> calls = IntStream.range(0, nodes)
				.mapToObj((i) -> entering(open("loops", settings), i))
				.toList();
			ExecutorService threads = Executors.newFixedThreadPool(nodes);
			try {
				for (Future<LoopStore.Entered> one : threads.invokeAll(calls)) {
					assertThat(one.get()).isNotNull();
				}
			}
			finally {
				threads.shutdownNow();
			}
			assertThat(template.queryForObject("select count(*) from agent_hooks_limit where limit_key like 'old%'",
					Integer.class))
				.isGreaterThan(max - 2 * nodes - max / 100);
		}

		private static Callable<LoopStore.Entered> entering(LoopStore node, int run) {
			// It knows how many there are.
			node.look("run", "call", "tool");
			return () -> node.enter("new" + run, "call", "tool");
		}

		@Override
		DataSource database() {
			return this.pool;
		}

	}

}
