package io.agenthooks.spring.limit;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

import io.agenthooks.spring.jdbc.PostgresExtension;

/**
 * Tests for {@link BudgetStore} with a real PostgreSQL.
 */
@Tag("slow")
class PostgresBudgetStoreTests extends JdbcBudgetStoreContract {

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@Override
	DataSource database() {
		return postgres.database();
	}

}
