package io.agenthooks.spring.state;

import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

import io.agenthooks.spring.jdbc.JdbcState;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.jdbc.StateSql;
import io.agenthooks.spring.jdbc.StateTables;

/**
 * Tests for {@link JdbcState} with H2.
 */
class H2StateTests extends KeyedStateContract {

	private final JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");

	private final OwnTransactions transactions;

	H2StateTests() throws SQLException {
		this.pool.setMaxConnections(20);
		StateTables.create(this.pool);
		this.transactions = new OwnTransactions(this.pool);
	}

	@AfterEach
	void stop() {
		this.pool.dispose();
	}

	@Override
	KeyedState<String> open(StateTerms<String> terms) {
		return new JdbcState<>(this.transactions,
				new StateSql(Objects.requireNonNull(StateSql.of("H2")).insert(), (client) -> this.micros.get(), null),
				terms);
	}

}
