package io.agenthooks.spring.approval;

import java.nio.file.Path;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.agenthooks.spring.suspend.ApprovalRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JdbcApprovalStore} with H2 in a file.
 */
class H2ApprovalStoreTests extends JdbcApprovalStoreContract {

	@TempDir
	Path directory;

	private JdbcConnectionPool pool;

	@BeforeEach
	void start() {
		this.pool = JdbcConnectionPool.create(url(), "sa", "");
		this.pool.setMaxConnections(4);
	}

	private String url() {
		return "jdbc:h2:file:" + this.directory.resolve("h2");
	}

	@AfterEach
	void stop() {
		this.pool.dispose();
	}

	@Override
	DataSource database() {
		return this.pool;
	}

	@Test
	void questionsAreStillThereAfterARestart() {
		ApprovalRequest asked = Questions.question("q");
		ApprovalRequest claimable = Questions.question("approved");
		try (ApprovalStore store = open()) {
			asked(store, asked);
			asked(store, claimable);
			assertThat(store.replace(claimable, Questions.approved(claimable), Questions.NOW)).isTrue();
		}
		JdbcClient.create(this.pool).sql("shutdown immediately").update();
		this.pool.dispose();
		start();
		try (ApprovalStore store = open()) {
			assertThat(store.pending(10)).containsExactly(asked);
			assertThat(store.find("approved")).contains(Questions.approved(claimable));
			assertThat(store.ask(Questions.question("other", asked.fingerprint(), "session", 1, Questions.NOW), MANY))
				.contains(asked);
		}
	}

	@Test
	void userWithoutRightToKeepCommitsIsToldSo() {
		JdbcApprovalAutoConfiguration.initialize(this.pool, DatabaseInitializationMode.ALWAYS);
		JdbcClient client = JdbcClient.create(this.pool);
		client.sql("create user guest password 'secret'").update();
		client.sql("grant select, insert, update, delete on schema public to guest").update();
		DataSource guest = new DriverManagerDataSource(url(), "guest", "secret");
		assertThatExceptionOfType(InvalidApprovalStoreException.class)
			.isThrownBy(() -> JdbcApprovalStore.open(guest, "shop"))
			.withMessageContaining("WRITE_DELAY=0")
			.withMessageNotContaining("secret");
		open().close();
		JdbcApprovalStore.open(guest, "shop").close();
	}

}
