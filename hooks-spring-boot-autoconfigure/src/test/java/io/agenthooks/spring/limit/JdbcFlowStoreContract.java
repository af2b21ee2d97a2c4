package io.agenthooks.spring.limit;

import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.state.StateSql;

/**
 * What {@link JdbcFlowStore} does in every database.
 */
abstract class JdbcFlowStoreContract extends FlowStoreContract {

	abstract DataSource database();

	@Override
	FlowStore open(String rule) {
		DataSource dataSource = database();
		JdbcLimitAutoConfiguration.initialize(dataSource, DatabaseInitializationMode.ALWAYS);
		ConnectionCallback<String> product = (connection) -> connection.getMetaData().getDatabaseProductName();
		StateSql sql = Objects
			.requireNonNull(StateSql.of(Objects.requireNonNull(new JdbcTemplate(dataSource).execute(product))));
		return new JdbcFlowStore(new OwnTransactions(dataSource), sql, rule);
	}

	@Override
	List<String> everything() {
		return new JdbcTemplate(database()).query("select * from agent_hooks_flow where run_key <> 'secret'",
				(row, number) -> row.getString(1) + " " + row.getString(2) + " " + row.getString(5));
	}

	@Override
	void forgetSessions() {
		new JdbcTemplate(database()).update("delete from agent_hooks_flow where run_key <> 'secret'");
	}

	@Override
	void forgetAll() {
		new JdbcTemplate(database()).update("delete from agent_hooks_flow");
	}

	@Override
	void forgetNotes() {
		new JdbcTemplate(database()).update("delete from agent_hooks_flow where number > 0");
	}

}
