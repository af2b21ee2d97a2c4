package io.agenthooks.spring.approval;

import java.time.Instant;

import javax.sql.DataSource;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.spring.suspend.ApprovalRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for turns that are kept in a database: {@link SuspendedStore}.
 */
abstract class JdbcSuspendedCallsContract extends SuspendedCallsContract {

	/**
	 * The same database each time.
	 */
	abstract DataSource database();

	@Override
	ApplicationContextRunner withStore(ApplicationContextRunner runner) {
		return withStore(runner, database());
	}

	private static ApplicationContextRunner withStore(ApplicationContextRunner runner, DataSource dataSource) {
		return runner.withBean(DataSource.class, () -> dataSource)
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always");
	}

	@Override
	int turns() {
		return count("agent_hooks_approval_turn");
	}

	@Override
	int calls() {
		return count("agent_hooks_approval_call");
	}

	private int count(String table) {
		return JdbcClient.create(database()).sql("select count(*) from " + table).query(Integer.class).single();
	}

	@ParameterizedTest
	@ValueSource(strings = { "2021-01-01", "2041-01-01" })
	void clockOfTheDatabaseDecidesWhenTheTimeIsOver(String day) {
		ClockedDataSource clocked = new ClockedDataSource(database(), day);
		this.application.run(withStore(this.application.asking(), clocked), (context) -> {
			String id = suspended(this.application, ApprovalApplication.CALL);
			ApprovalRequest asked = question(this.application, id);
			assertThat(asked.askedAt()).isBetween(Instant.parse(day + "T00:00:00Z"), Instant.parse(day + "T01:00:00Z"));
			assertThat(this.application.approvals().pending(10)).containsExactly(asked);
			this.application.approve(asked, ApprovalApplication.ALICE);
			assertThat(text(this.application.approvals().resume(id), 0)).isEqualTo("ran");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "agent_hooks_approval_turn set turn = '{}'",
			"agent_hooks_approval_turn set turn = replace(turn, '\"replies\"', '\"other\"')",
			"agent_hooks_approval_turn set turn = replace(turn, 'false', '\"false\"')",
			"agent_hooks_approval_call set reply = '{\"text\":1,\"failed\":false}'",
			"agent_hooks_approval_call set reply = 'ran'" })
	void turnThatWasChangedByHandCannotBeRead(String change) {
		this.application.run(withStore(this.application.asking()), (context) -> {
			String id = approved(this.application, ApprovalApplication.CALL);
			keep(this.application, id);
			assertThat(this.application.approvals().resume(id).complete()).isTrue();
			assertThat(JdbcClient.create(database()).sql("update " + change).update()).isOne();
			assertThatIllegalStateException().isThrownBy(() -> this.application.approvals().resume(id))
				.withMessageContaining("cannot be read")
				.withMessageNotContaining("what was said");
			assertThat(this.application.ran).hasSize(1);
		});
	}

}
