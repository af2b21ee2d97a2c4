package io.agenthooks.spring.state;

import java.net.ConnectException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionTimedOutException;

import io.agenthooks.chain.FailMode;
import io.agenthooks.chain.NotAskedException;
import io.agenthooks.spring.jdbc.OwnTransactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link StoreWatch}: a store that is away may pass, if its hook fails open;
 * one that has no connection left for this call may not.
 */
class StoreWatchTests {

	private final StoreWatch watch = new StoreWatch();

	private static RuntimeException noConnection(String pool) {
		return new CannotGetJdbcConnectionException("Failed to obtain JDBC Connection",
				new SQLTransientConnectionException(
						"HikariPool-1 - Connection is not available, request timed out after 1000ms " + pool));
	}

	private RuntimeException use(RuntimeException failure) {
		return (RuntimeException) catchThrowable(() -> this.watch.run(() -> {
			throw failure;
		}));
	}

	@Test
	void poolWhoseConnectionsAreAllTakenPassesUnderNoMode() {
		RuntimeException thrown = use(noConnection("(total=10, active=10, idle=0, waiting=7)"));
		assertThat(thrown).isInstanceOf(NotAskedException.class).hasMessageContaining("busy with other calls");
		assertThat(FailMode.OPEN.passes(thrown)).isFalse();
	}

	@Test
	void databaseThatTakesNoConnectionsIsAway() {
		RuntimeException away = noConnection("(total=0, active=0, idle=0, waiting=7)");
		assertThat(use(away)).isSameAs(away);
		assertThat(FailMode.OPEN.passes(away)).isTrue();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.watch.use(() -> {
			throw new IllegalStateException();
		}));
	}

	static Stream<Exception> fullPools() {
		return Stream.of(
				new SQLException("[main] Timeout: Pool empty. Unable to fetch a connection in 1 seconds, none "
						+ "available[size:10; busy:10; idle:0; lastwait:1000]."),
				new SQLException("Cannot get a connection, pool error Timeout waiting for idle object",
						new NoSuchElementException("Timeout waiting for idle object, borrowMaxWaitDuration=PT1S")),
				new SQLException("Cannot get a connection, pool exhausted",
						new NoSuchElementException("Pool exhausted")),
				new SQLException("UCP-29: Failed to get a connection",
						new IllegalStateException("UCP-45064: All connections in the Universal Connection Pool are in "
								+ "use - [ , , , , , , ,  ]")),
				// These say the same if no connection can be opened, so nobody can tell.
				new SQLException("Sorry, acquisition timeout!"),
				new SQLException("An attempt by a client to checkout a Connection has timed out."),
				new SQLException("wait millis 1000, active 8, maxActive 8, creating 0"),
				new SQLException("Timed out waiting for a free available connection."),
				new SQLException("javax.resource.ResourceException: IJ000655: No managed connections available within "
						+ "configured blocking timeout (1000 [ms])"),
				new SQLTransientConnectionException(
						"pool - Connection is not available, request timed out after 1000ms."),
				new SQLTransientConnectionException("no connection for you"), new PoolExhaustedException());
	}

	/**
	 * How long others hold the rows of a key is up to the agent.
	 */
	static Stream<Exception> rowsThatOthersHold() {
		return Stream.of(new CannotAcquireLockException("PreparedStatementCallback"),
				new PessimisticLockingFailureException("deadlock"), new OptimisticLockingFailureException("again"),
				new QueryTimeoutException("timed out", new SQLTimeoutException()),
				new TransactionTimedOutException("deadline"),
				new UncategorizedSQLException("update", "sql", new SQLException("canceling statement", "55P03")),
				new SQLException("could not serialize access", "40001"), new SQLException("deadlock", "40P01"),
				new SQLException("canceling statement due to statement timeout", "57014"),
				new SQLException("Lock wait timeout exceeded", "HY000", 1205),
				new SQLException("Lock request time out period exceeded", "S0051", 1222),
				new SQLException("ORA-00054: resource busy", "99999", 54),
				new SQLException("Timeout trying to lock table", "HYT00", 50200), new SQLTimeoutException("late"),
				new SQLTransactionRollbackException("rolled back"));
	}

	@ParameterizedTest
	@MethodSource("rowsThatOthersHold")
	void rowsThatOthersHoldPassUnderNoMode(Exception held) {
		RuntimeException thrown = use(
				(held instanceof RuntimeException known) ? known : new IllegalStateException("in a transaction", held));
		assertThat(thrown).isInstanceOf(NotAskedException.class);
		assertThat(FailMode.OPEN.passes(thrown)).isFalse();
	}

	@Test
	void rowOfH2ThatAnotherTransactionHoldsPassesUnderNoMode() throws SQLException {
		String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=50";
		DriverManagerDataSource database = new DriverManagerDataSource(url);
		JdbcClient client = JdbcClient.create(database);
		try (Connection other = database.getConnection()) {
			client.sql("create table t (k int primary key, v int)").update();
			client.sql("insert into t values (1, 1)").update();
			other.setAutoCommit(false);
			other.createStatement().executeUpdate("update t set v = 2 where k = 1");
			assertThat(
					catchThrowable(() -> this.watch.run(() -> client.sql("update t set v = 3 where k = 1").update())))
				.isInstanceOf(NotAskedException.class);
			other.rollback();
		}
	}

	@ParameterizedTest
	@MethodSource("fullPools")
	void poolOfAnotherKindWhoseConnectionsAreAllTakenPassesUnderNoMode(Exception full) {
		RuntimeException thrown = use(new CannotCreateTransactionException("Could not open connection", full));
		assertThat(thrown).isInstanceOf(NotAskedException.class);
	}

	static Stream<Exception> databasesThatAreAway() {
		return Stream.of(
				new SQLException("[main] Timeout: Pool empty. Unable to fetch a connection in 1 seconds, none "
						+ "available[size:0; busy:0; idle:0; lastwait:1000]."),
				new SQLException("Cannot create PoolableConnectionFactory (Connection refused)"),
				new SQLException("UCP-29: Failed to get a connection", new SQLException("Connection refused", "08001")),
				new SQLException("Connection refused", "08001"),
				new SQLTransientConnectionException("Communications link failure", "08S01"),
				new SQLException("Sorry, acquisition timeout!", new ConnectException("Connection refused")),
				new SQLException("An attempt by a client to checkout a Connection has timed out.",
						new SQLException("refused", "08001")));
	}

	@ParameterizedTest
	@MethodSource("databasesThatAreAway")
	void databaseThatIsAwayBehindAPoolOfAnotherKindIsAway(Exception away) {
		RuntimeException thrown = new CannotCreateTransactionException("Could not open connection", away);
		assertThat(use(thrown)).isSameAs(thrown);
	}

	@Test
	void poolOfH2WhoseConnectionsToolsHavePassesUnderNoMode() throws SQLException {
		JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
		pool.setMaxConnections(1);
		pool.setLoginTimeout(1);
		OwnTransactions transactions = new OwnTransactions(pool);
		try (Connection tool = pool.getConnection()) {
			assertThat(tool.isClosed()).isFalse();
			assertThat(catchThrowable(() -> this.watch.use(() -> transactions.read(() -> 1))))
				.isInstanceOf(NotAskedException.class);
		}
		assertThat(this.watch.use(() -> transactions.read(() -> 1))).isEqualTo(1);
		pool.dispose();
	}

	@Test
	void poolThatNobodyKnowsPassesUnderNoModeWhileOtherQuestionsHaveItsConnections() {
		AtomicInteger free = new AtomicInteger(1);
		OwnTransactions transactions = new OwnTransactions(pool(free));
		Throwable beside = transactions
			.read(() -> catchThrowable(() -> this.watch.use(() -> transactions.read(() -> 1))));
		assertThat(beside).isInstanceOf(NotAskedException.class);
		assertThat(FailMode.OPEN.passes((RuntimeException) beside)).isFalse();
	}

	@Test
	void databaseThatRefusesConnectionsIsAwayAlsoWhileThereAreOtherQuestions() {
		OwnTransactions transactions = new OwnTransactions(
				pool(new AtomicInteger(1), new SQLException("away", new ConnectException("Connection refused"))));
		Throwable beside = transactions
			.read(() -> catchThrowable(() -> this.watch.use(() -> transactions.read(() -> 1))));
		assertThat(FailMode.OPEN.passes((RuntimeException) beside)).isTrue();
	}

	@Test
	void databaseThatIsAwayForAQuestionWithoutOthersIsAway() {
		OwnTransactions transactions = new OwnTransactions(pool(new AtomicInteger()));
		Throwable away = catchThrowable(() -> this.watch.use(() -> transactions.read(() -> 1)));
		assertThat(away).isInstanceOf(CannotCreateTransactionException.class);
		assertThat(FailMode.OPEN.passes((RuntimeException) away)).isTrue();
	}

	private static DriverManagerDataSource pool(AtomicInteger free) {
		return pool(free, new SQLException("None left"));
	}

	private static DriverManagerDataSource pool(AtomicInteger free, SQLException failure) {
		return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID()) {

			@Override
			public Connection getConnection() throws SQLException {
				if (free.getAndDecrement() > 0) {
					return super.getConnection();
				}
				throw failure;
			}

		};
	}

	/** As Tomcat and Atomikos have it. */
	private static final class PoolExhaustedException extends SQLException {

	}

}
