package io.agenthooks.spring.approval;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a store in a database has to do besides.
 */
abstract class JdbcApprovalStoreContract extends ApprovalStoreContract {

	/**
	 * The same database each time.
	 */
	abstract DataSource database();

	@Override
	ApprovalStore open() {
		return open(database());
	}

	/**
	 * As if they were asked, but in one step: each by itself takes minutes.
	 */
	@Override
	void fill(ApprovalStore store, List<ApprovalRequest> questions) {
		ApprovalRequest first = questions.get(0);
		asked(store, first);
		new JdbcTemplate(database()).batchUpdate(
				"insert into agent_hooks_approval (application, id, open_key, session_key, fingerprint, state, "
						+ "revision, expires_at, changed_at, request) select application, ?, ?, session_key, ?, state, revision, "
						+ "expires_at, changed_at, ? from agent_hooks_approval where id = '" + first.id() + "'",
				questions.stream()
					.skip(1)
					.map((question) -> new Object[] { question.id(), question.fingerprint(), question.fingerprint(),
							ApprovalJson.write(question) })
					.toList());
	}

	private ApprovalStore open(DataSource dataSource) {
		JdbcApprovalAutoConfiguration.initialize(dataSource, DatabaseInitializationMode.ALWAYS);
		return opened(dataSource);
	}

	/**
	 * Open tables that are there.
	 */
	ApprovalStore opened(DataSource dataSource) {
		return JdbcApprovalStore.open(dataSource, "shop");
	}

	@ParameterizedTest
	@ValueSource(strings = { "request = replace(request, '\"PENDING\"', '\"APPROVED\"')", "state = 'APPROVED'",
			"revision = 7", "fingerprint = 'other'", "request = '{}'", "request = replace(request, '}', '')",
			"request = replace(request, '\"approvals\":1', '\"approvals\":0')",
			"request = replace(request, '\"approvals\":1', '\"approvals\":\"1\"')",
			"request = replace(request, '\"approvers\":{\"authorities\":[],\"self\":true},', '')",
			"request = replace(request, '\"self\":true', '\"self\":null')",
			"request = replace(request, '\"authorities\":[]', '\"authorities\":[1]')",
			"request = replace(request, '\"agent\":', '\"agnet\":')", "request = replace(request, 'Z\"', '\"')",
			"request = '{\"id\":\"x\",' || substring(request from 2)" })
	void rowThatWasChangedByHandIsAnErrorAndHidesNoOther(String change) {
		try (ApprovalStore store = open()) {
			asked(store, Questions.question("changed"));
			ApprovalRequest other = asked(store, Questions.question("other"));
			assertThat(JdbcClient.create(database())
				.sql("update agent_hooks_approval set " + change + " where id = 'changed'")
				.update()).isOne();
			assertThatIllegalStateException().isThrownBy(() -> store.find("changed"))
				.withMessageContaining("'changed'")
				.withMessageNotContaining("because")
				.withMessageNotContaining("\"to\"");
			assertThat(store.pending(10)).containsExactly(other);
			assertThat(store.settled(10)).isEmpty();
			assertThat(store.due(other.expiresAt(), 10)).containsExactly(other);
			assertThatIllegalStateException().isThrownBy(() -> store
				.ask(Questions.question("new", "fingerprint-changed", "session", 1, Questions.NOW), MANY));
		}
	}

	@Test
	void tablesOfAnotherVersionStopTheStart() {
		open().close();
		JdbcClient.create(database()).sql("update agent_hooks_approval_schema set version = 2").update();
		assertThatExceptionOfType(InvalidApprovalStoreException.class).isThrownBy(this::open)
			.withMessageContaining("holds the versions [2]")
			.withMessageContaining("knows only 10");
		JdbcClient.create(database()).sql("delete from agent_hooks_approval_schema").update();
		assertThatExceptionOfType(InvalidApprovalStoreException.class)
			.isThrownBy(() -> JdbcApprovalStore.open(database(), "shop"))
			.withMessageContaining("holds the versions []");
	}

	@Test
	void oldRowsAreRemovedInPortionsAndNobodyWaitsForWhoRemovesThem() {
		int many = 2 * JdbcApprovalStore.PURGED_AT_ONCE + 7;
		DataSource dataSource = database();
		JdbcClient client = JdbcClient.create(dataSource);
		try (ApprovalStore store = open()) {
			fill(store, IntStream.range(0, many).mapToObj((i) -> Questions.question("q" + i)).toList());
			client.sql("update agent_hooks_approval set state = 'CANCELLED', open_key = null").update();
			client
				.sql("insert into agent_hooks_approval_call (id, asked_key, changed_at) "
						+ "select id, fingerprint, changed_at from agent_hooks_approval where id <> 'q0'")
				.update();
			client.sql(
					"insert into agent_hooks_approval_turn (id, turn, progress, continuations, attempts, calls, changed_at) "
							+ "select id, 'turn', 'NONE', -1, 0, 0, changed_at from agent_hooks_approval")
				.update();
			client.sql("update agent_hooks_approval_call set turn_id = id").update();
			Instant before = Questions.NOW.plusSeconds(1);
			new TransactionTemplate(new JdbcTransactionManager(dataSource)).executeWithoutResult((status) -> {
				client.sql("select id from agent_hooks_approval where id = 'q1' for update").query().listOfRows();
				long start = System.nanoTime();
				assertThat(store.purge(before)).isTrue();
				assertThat(rows(client, "agent_hooks_approval")).isEqualTo(many - JdbcApprovalStore.PURGED_AT_ONCE);
				while (store.purge(before)) {
					assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos());
				}
				assertThat(rows(client, "agent_hooks_approval")).isOne();
			});
			assertThat(store.purge(before)).isFalse();
			assertThat(rows(client, "agent_hooks_approval")).isZero();
			assertThat(rows(client, "agent_hooks_approval_turn")).isZero();
			assertThat(rows(client, "agent_hooks_approval_call")).isZero();
		}
	}

	private static int rows(JdbcClient client, String table) {
		return client.sql("select count(*) from " + table).query(Integer.class).single();
	}

	@Test
	void missingTablesStopTheStart() {
		assertThatExceptionOfType(InvalidApprovalStoreException.class)
			.isThrownBy(() -> JdbcApprovalStore.open(database(), "shop"))
			.withMessageContaining("hooks.approval.jdbc.initialize_schema");
	}

	@Test
	void databaseThatIsAwayIsAnExceptionForAllThatAskAndWait() throws Exception {
		AtomicBoolean away = new AtomicBoolean();
		DataSource failing = new DelegatingDataSource(database()) {
			@Override
			public Connection getConnection() throws SQLException {
				if (away.get()) {
					throw new SQLNonTransientConnectionException("refused", "08001");
				}
				return super.getConnection();
			}
		};
		try (ApprovalStore store = open(failing)) {
			ApprovalRequest asked = asked(store, Questions.question("q"));
			away.set(true);
			fails(() -> store.ask(Questions.question("other"), MANY));
			fails(() -> store.find("q"));
			fails(() -> store.replace(asked, Questions.approved(asked), Questions.NOW));
			fails(() -> store.await("q", asked.revision(), LONG));
			fails(() -> store.pending(10));
			fails(() -> store.purge(Questions.NOW));
			away.set(false);
			assertThat(store.find("q")).contains(asked);
			assertThat(store.find("other")).isEmpty();
			store.await("q", asked.revision() - 1, LONG);
		}
	}

	private static void fails(ThrowingCallable code) {
		assertThatException().isThrownBy(code).isInstanceOfAny(DataAccessException.class, TransactionException.class);
	}

	/**
	 * Else a tool that rolls back would undo its claim, and the next one would run.
	 */
	@Test
	void claimStaysWhenTheTransactionOfTheCallerIsRolledBack() {
		DataSource dataSource = database();
		try (ApprovalStore store = open(dataSource)) {
			ApprovalRequest asked = asked(store, Questions.question("q"));
			ApprovalRequest approved = Questions.approved(asked);
			assertThat(store.replace(asked, approved, Questions.NOW)).isTrue();
			new TransactionTemplate(new JdbcTransactionManager(dataSource)).executeWithoutResult((status) -> {
				assertThat(store.replace(approved, ApprovalRules.claimed(approved, Questions.NOW), Questions.NOW))
					.isTrue();
				asked(store, Questions.question("other"));
				status.setRollbackOnly();
			});
			assertThat(store.find("q")).map(ApprovalRequest::state).contains(ApprovalState.CLAIMED);
			assertThat(store.find("other")).isPresent();
		}
	}

	@Test
	void connectionsGoBackAsTheyCame() {
		AtomicInteger open = new AtomicInteger();
		AtomicInteger timeouts = new AtomicInteger();
		DataSource counting = new DelegatingDataSource(database()) {
			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				int before = connection.getNetworkTimeout();
				open.incrementAndGet();
				return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
						new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
							if (method.getName().equals("close")) {
								open.decrementAndGet();
								timeouts.addAndGet((connection.getNetworkTimeout() != before) ? 1 : 0);
							}
							try {
								return method.invoke(connection, arguments);
							}
							catch (InvocationTargetException ex) {
								throw ex.getCause();
							}
						});
			}
		};
		try (ApprovalStore store = open(counting)) {
			ApprovalRequest asked = asked(store, Questions.question("q"));
			store.replace(asked, Questions.approved(asked), Questions.NOW);
			store.find("q");
			store.pending(1);
			assertThatException()
				.isThrownBy(() -> store.ask(Questions.question("long", "f".repeat(200), "s", 1, Questions.NOW), MANY));
		}
		assertThat(open).hasValue(0);
		assertThat(timeouts).hasValue(0);
	}

}
