package io.agenthooks.spring.limit;

import org.junit.jupiter.api.extension.RegisterExtension;

import io.agenthooks.spring.jdbc.PostgresExtension;
import io.agenthooks.spring.state.StateStore;

/**
 * Tests for limits that count by different parts, in a real PostgreSQL.
 */
class PostgresLimitPartsTests extends LimitPartsContract {

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@Override
	LimitStores stores() {
		StateStore states = TestStates.jdbc(postgres.database(), null);
		return () -> states;
	}

}
