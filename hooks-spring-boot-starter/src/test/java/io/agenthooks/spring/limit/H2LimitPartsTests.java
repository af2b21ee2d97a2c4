package io.agenthooks.spring.limit;

import java.util.Objects;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * Tests for limits that count by different parts, in H2.
 */
class H2LimitPartsTests extends LimitPartsContract {

	private JdbcConnectionPool pool;

	@BeforeEach
	void start() {
		this.pool = JdbcConnectionPool.create("jdbc:h2:mem:parts" + System.nanoTime() + ";DB_CLOSE_DELAY=-1", "sa", "");
		JdbcLimitAutoConfiguration.initialize(this.pool, DatabaseInitializationMode.ALWAYS);
	}

	@AfterEach
	void stop() {
		this.pool.dispose();
	}

	@Override
	LimitStores stores() {
		OwnTransactions transactions = new OwnTransactions(this.pool);
		LimitSql sql = Objects.requireNonNull(LimitSql.of("H2"));
		return of((groups) -> new JdbcLimitStore(transactions, sql, groups.toArray(SharedLimits[]::new)));
	}

}
