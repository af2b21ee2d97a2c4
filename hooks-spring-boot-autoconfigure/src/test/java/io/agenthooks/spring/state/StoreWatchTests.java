package io.agenthooks.spring.state;

import java.net.ConnectException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.CannotCreateTransactionException;

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
								+ "use - [ , , , , , , ,  ]")));
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
				new SQLException("Connection refused", "08001"));
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
		return pool(free, new SQLException("Sorry, acquisition timeout!"));
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

}
