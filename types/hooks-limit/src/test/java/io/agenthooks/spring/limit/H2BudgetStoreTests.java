package io.agenthooks.spring.limit;

import java.util.UUID;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests for {@link BudgetStore} with H2.
 */
class H2BudgetStoreTests extends JdbcBudgetStoreContract {

	private final JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");

	H2BudgetStoreTests() {
		this.pool.setMaxConnections(20);
	}

	@AfterEach
	void stop() {
		this.pool.dispose();
	}

	@Override
	DataSource database() {
		return this.pool;
	}

}
