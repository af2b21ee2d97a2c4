package io.agenthooks.spring.limit;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import io.agenthooks.spring.state.StateStore;

/**
 * Tests for limits that count by different parts, in H2.
 */
class H2LimitPartsTests extends LimitPartsContract {

	private JdbcConnectionPool pool;

	@BeforeEach
	void start() {
		this.pool = JdbcConnectionPool.create("jdbc:h2:mem:parts" + System.nanoTime() + ";DB_CLOSE_DELAY=-1", "sa", "");
	}

	@AfterEach
	void stop() {
		this.pool.dispose();
	}

	@Override
	LimitStores stores() {
		StateStore states = TestStates.jdbc(this.pool, null);
		return () -> states;
	}

}
