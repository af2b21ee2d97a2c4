package io.agenthooks.spring.state;

import java.sql.SQLException;
import java.util.Objects;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

import io.agenthooks.spring.jdbc.JdbcState;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.jdbc.PostgresExtension;
import io.agenthooks.spring.jdbc.StateSql;
import io.agenthooks.spring.jdbc.StateTables;

/**
 * Tests for {@link JdbcState} with a real PostgreSQL.
 */
@Tag("slow")
class PostgresStateTests extends KeyedStateContract {

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@BeforeEach
	void create() throws SQLException {
		StateTables.create(postgres.database());
	}

	@Override
	KeyedState<String> open(StateTerms<String> terms) {
		DataSource database = postgres.database();
		StateSql sql = Objects.requireNonNull(StateSql.of("PostgreSQL"));
		return new JdbcState<>(new OwnTransactions(database),
				new StateSql(sql.insert(), (client) -> this.micros.get(), sql.alone()), terms);
	}

}
