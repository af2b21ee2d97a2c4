package io.agenthooks.spring.limit;

import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.UnusableAnswerException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What {@link LoopStore} does in every database.
 */
abstract class JdbcLoopStoreContract extends SharedLoopStoreContract {

	abstract DataSource database();

	@Override
	LoopStore open(String hook, LoopSettings settings) {
		return LoopStore.open(LoopSettings.entry(hook), settings, SharedLimits.LEASE, states());
	}

	@Override
	StateStore states() {
		return TestStates.jdbc(database(), this.clock::get);
	}

	@Override
	List<String> everything() {
		return new JdbcTemplate(database()).query("select * from agent_hooks_limit",
				(row, number) -> row.getString(1) + " " + row.getString(2) + " " + row.getString(4));
	}

	@Override
	void replace(String kept) {
		JdbcTemplate template = new JdbcTemplate(database());
		for (String key : template.queryForList("select limit_key from agent_hooks_limit", String.class)) {
			String text = template.queryForObject("select kept from agent_hooks_limit where limit_key = ?",
					String.class, key);
			String[] parts = Objects.requireNonNull(text).split(";", 4);
			template.update("update agent_hooks_limit set kept = ? where limit_key = ?",
					String.join(";", parts[0], parts[1], parts[2], kept), key);
		}
	}

	@Test
	void rowOfAnotherFormIsRefused() {
		LoopStore store = open(DEFAULTS);
		store.enter("run", "call", "tool");
		for (String row : List.of("", "l1", "l2;1;b;1;0;0;;;;", "l1;x;b;1;0;0;;;;")) {
			new JdbcTemplate(database()).update("update agent_hooks_limit set kept = ?", row);
			assertThatExceptionOfType(UnusableAnswerException.class)
				.isThrownBy(() -> store.enter("run", "call", "tool"));
		}
		assertThat(everything()).hasSize(1);
	}

}
