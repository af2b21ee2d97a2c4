package io.agenthooks.spring.approval;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.agenthooks.spring.jdbc.DyingDataSource;
import io.agenthooks.spring.jdbc.PostgresExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JdbcApprovalStore} with a real PostgreSQL.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class PostgresApprovalStoreTests extends JdbcApprovalStoreContract {

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@Override
	DataSource database() {
		return postgres.database();
	}

	@Test
	void nodesThatStartTogetherMakeTheTablesOnce() throws Exception {
		ExecutorService nodes = Executors.newFixedThreadPool(4);
		try {
			for (int round = 0; round < 10; round++) {
				postgres.dropTables();
				List<Future<?>> starts = new ArrayList<>();
				for (int i = 0; i < 4; i++) {
					starts.add(nodes.submit(() -> open().close()));
				}
				for (Future<?> start : starts) {
					start.get(30, TimeUnit.SECONDS);
				}
			}
		}
		finally {
			nodes.shutdownNow();
		}
	}

	@Test
	void lockOfAnotherIsNotWaitedForWithoutEnd() {
		try (ApprovalStore store = open()) {
			assertThat(lockedOut(store)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(40));
			assertThat(store.pending(10)).isEmpty();
		}
	}

	private Duration lockedOut(ApprovalStore store) {
		try (Connection other = database().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("lock table agent_hooks_approval_schema in access exclusive mode");
			long start = System.nanoTime();
			assertThatException().isThrownBy(() -> store.ask(Questions.question("q"), MANY))
				.isInstanceOfAny(DataAccessException.class, TransactionException.class);
			Duration taken = Duration.ofNanos(System.nanoTime() - start);
			other.rollback();
			return taken;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Spring writes what the driver says into the log if the transaction cannot be rolled
	 * back either.
	 */
	@Test
	void connectionThatBreaksIsThrownAndNotLogged(CapturedOutput output) {
		open().close();
		DyingDataSource dying = new DyingDataSource(database(), database());
		try (ApprovalStore store = opened(dying)) {
			dying.dieBefore("insert");
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> store.ask(Questions.question("q"), MANY));
			assertThat(store.find("q")).isEmpty();
			assertThat(store.ask(Questions.question("q"), MANY)).isPresent();
		}
		assertThat(output).doesNotContain("rollback exception");
	}

}
