package io.agenthooks.spring.limit;

import java.util.List;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.flow.KeyedFlowStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@link KeyedFlowStore} does in every database.
 */
abstract class JdbcFlowStoreContract extends FlowStoreContract {

	abstract DataSource database();

	@Override
	FlowStore open(String rule) {
		return new KeyedFlowStore(TestStates.jdbc(database(), null), rule);
	}

	@Override
	List<String> everything() {
		return new JdbcTemplate(database()).query("select * from agent_hooks_limit where limit_key <> 'secret'",
				(row, number) -> row.getString(1) + " " + row.getString(2) + " " + row.getString(4));
	}

	@Override
	void forgetSessions() {
		new JdbcTemplate(database()).update("delete from agent_hooks_limit where limit_key <> 'secret'");
	}

	@Override
	void forgetAll() {
		new JdbcTemplate(database()).update("delete from agent_hooks_limit");
	}

	@Override
	void forgetSecret() {
		assertThat(new JdbcTemplate(database()).update("delete from agent_hooks_limit where limit_key = 'secret'"))
			.isOne();
	}

	@Override
	void forgetNotes() {
		assertThat(new JdbcTemplate(database())
			.update("delete from agent_hooks_limit where limit_key <> 'secret' and kept not like 'f2;%'")).isOne();
	}

}
