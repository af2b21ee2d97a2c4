package io.agenthooks.spring.limit;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

import io.agenthooks.spring.jdbc.PostgresExtension;

/**
 * Tests for sessions that are kept in a database, a real PostgreSQL.
 */
@Tag("slow")
class PostgresFlowStoreTests extends JdbcFlowStoreContract {

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@Override
	DataSource database() {
		return postgres.database();
	}

}
