package io.agenthooks.spring.limit;

import java.util.Objects;

import javax.sql.DataSource;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * What {@link JdbcBudgetStore} does in every database.
 */
abstract class JdbcBudgetStoreContract extends SharedBudgetStoreContract {

	abstract DataSource database();

	@Override
	BudgetStore open(SharedBudget budget, boolean isVirtual) {
		DataSource dataSource = database();
		JdbcLimitAutoConfiguration.initialize(dataSource, DatabaseInitializationMode.ALWAYS);
		ConnectionCallback<String> product = (connection) -> connection.getMetaData().getDatabaseProductName();
		LimitSql sql = Objects
			.requireNonNull(LimitSql.of(Objects.requireNonNull(new JdbcTemplate(dataSource).execute(product))));
		return new JdbcBudgetStore(new OwnTransactions(dataSource),
				(isVirtual) ? new LimitSql(sql.insert(), (client) -> micros(), sql.alone()) : sql, budget);
	}

}
