package io.agenthooks.spring.limit;

import java.util.Objects;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

import io.agenthooks.spring.approval.PostgresExtension;
import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * Tests for limits that count by different parts, in a real PostgreSQL.
 */
class PostgresLimitPartsTests extends LimitPartsContract {

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@Override
	LimitStores stores() {
		JdbcLimitAutoConfiguration.initialize(postgres.database(), DatabaseInitializationMode.ALWAYS);
		OwnTransactions transactions = new OwnTransactions(postgres.database());
		LimitSql sql = Objects.requireNonNull(LimitSql.of("PostgreSQL"));
		return of((groups) -> new JdbcLimitStore(transactions, sql, groups.toArray(SharedLimits[]::new)));
	}

}
