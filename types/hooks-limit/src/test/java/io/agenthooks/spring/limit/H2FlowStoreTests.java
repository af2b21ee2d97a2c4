package io.agenthooks.spring.limit;

import java.util.UUID;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests for sessions that are kept in a database, H2.
 */
class H2FlowStoreTests extends JdbcFlowStoreContract {

	private final JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");

	H2FlowStoreTests() {
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
