package io.agenthooks.spring.limit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.agenthooks.spring.jdbc.OwnTransactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link LimitRows}.
 */
class LimitRowsTests {

	@Test
	void keysThatNobodyCountedYetLeaveNoRoom() throws SQLException {
		JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
				"sa", "");
		try {
			JdbcLimitAutoConfiguration.initialize(pool, DatabaseInitializationMode.ALWAYS);
			LimitSql sql = Objects.requireNonNull(LimitSql.of("H2"));
			assertThat(add(new LimitRows(new OwnTransactions(pool), sql, "h", 1), "a")).isTrue();
			UncountedDataSource uncounted = new UncountedDataSource(pool);
			LimitRows rows = new LimitRows(new OwnTransactions(uncounted), sql, "h", 1);
			assertThatException().isThrownBy(() -> add(rows, "b"));
			assertThatException().isThrownBy(() -> add(rows, "b"));
			uncounted.fails.set(false);
			assertThat(add(rows, "b")).isFalse();
			assertThat(add(rows, "a")).isTrue();
		}
		finally {
			pool.dispose();
		}
	}

	private static boolean add(LimitRows rows, String key) {
		return rows.change(key, false, (kept, now) -> new LimitRows.Changed<>(true, "kept", now + 3_600_000_000L));
	}

	/**
	 * Connections that fail when keys are counted.
	 */
	private static final class UncountedDataSource extends DelegatingDataSource {

		private final AtomicBoolean fails = new AtomicBoolean(true);

		UncountedDataSource(JdbcConnectionPool pool) {
			super(pool);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						if (this.fails.get() && arguments != null && arguments[0] instanceof String text
								&& text.startsWith("select count")) {
							throw new SQLException("away");
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
