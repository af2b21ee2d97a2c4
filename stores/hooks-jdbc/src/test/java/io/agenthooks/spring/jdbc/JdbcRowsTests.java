package io.agenthooks.spring.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link JdbcRows}.
 */
class JdbcRowsTests {

	@Test
	void keysThatNobodyCountedYetLeaveNoRoom() throws SQLException {
		JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
				"sa", "");
		try {
			StateTables.create(pool);
			StateSql sql = Objects.requireNonNull(StateSql.of("H2"));
			assertThat(add(new JdbcRows(new OwnTransactions(pool), sql, "h", 1), "a")).isTrue();
			CountingDataSource uncounted = new CountingDataSource(pool);
			uncounted.onCount = () -> {
				throw new SQLException("away");
			};
			JdbcRows rows = new JdbcRows(new OwnTransactions(uncounted), sql, "h", 1);
			assertThatException().isThrownBy(() -> add(rows, "b"));
			assertThatException().isThrownBy(() -> add(rows, "b"));
			uncounted.onCount = () -> null;
			assertThat(add(rows, "b")).isFalse();
			assertThat(add(rows, "a")).isTrue();
		}
		finally {
			pool.dispose();
		}
	}

	/**
	 * Near {@code max_keys}, where each call would have to count them.
	 */
	@Test
	void ofCallsAtTheSameTimeOneCountsTheKeys() throws SQLException {
		JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
				"sa", "");
		try {
			StateTables.create(pool);
			AtomicLong micros = new AtomicLong(1);
			StateSql sql = new StateSql(Objects.requireNonNull(StateSql.of("H2")).insert(), (client) -> micros.get(),
					null);
			CountingDataSource counted = new CountingDataSource(pool);
			JdbcRows rows = new JdbcRows(new OwnTransactions(counted), sql, "h", 3);
			assertThat(add(rows, "a")).isTrue();
			micros.addAndGet(TimeUnit.MINUTES.toMicros(1));
			CompletableFuture<Boolean> counting = new CompletableFuture<>();
			CompletableFuture<Boolean> goOn = new CompletableFuture<>();
			counted.onCount = () -> {
				counting.complete(true);
				return goOn.get();
			};
			CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> add(rows, "b"));
			assertThat(counting).succeedsWithin(Duration.ofSeconds(60));
			assertThat(add(rows, "c")).isTrue();
			assertThat(other).isNotDone();
			goOn.complete(true);
			assertThat(other).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(true);
			assertThat(counted.counts).hasValue(2);
		}
		finally {
			pool.dispose();
		}
	}

	private static boolean add(JdbcRows rows, String key) {
		return rows.inOneStep(() -> {
			JdbcRows.Row row = rows.lock(key, false);
			long now = rows.now();
			boolean isNew = JdbcRows.Row.known(row, now) == null;
			if (isNew && !rows.hasRoom(now)) {
				return false;
			}
			rows.write(key, row, new JdbcRows.Row(now + 3_600_000_000L, "kept"), isNew);
			return true;
		});
	}

	/**
	 * Connections that do something when keys are counted.
	 */
	private static final class CountingDataSource extends DelegatingDataSource {

		private final AtomicInteger counts = new AtomicInteger();

		private volatile Callable<@Nullable Object> onCount = () -> null;

		CountingDataSource(JdbcConnectionPool pool) {
			super(pool);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						if (arguments != null && arguments[0] instanceof String text
								&& text.startsWith("select count")) {
							this.counts.incrementAndGet();
							this.onCount.call();
						}
						try {
							return method.invoke(connection, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

}
