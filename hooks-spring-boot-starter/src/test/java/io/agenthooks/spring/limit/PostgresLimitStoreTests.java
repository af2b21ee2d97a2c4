package io.agenthooks.spring.limit;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

import io.agenthooks.spring.approval.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link JdbcLimitStore} with a real PostgreSQL.
 */
class PostgresLimitStoreTests extends JdbcLimitStoreContract {

	private static EmbeddedPostgres postgres;

	@BeforeAll
	static void startPostgres() throws IOException {
		postgres = TestPostgres.start();
	}

	@AfterAll
	static void stopPostgres() throws IOException {
		postgres.close();
	}

	@BeforeEach
	void dropTable() {
		JdbcClient.create(database()).sql("drop table if exists agent_hooks_limit").update();
	}

	@Override
	DataSource database() {
		return postgres.getPostgresDatabase();
	}

	@Test
	void lockOfAnotherIsNotWaitedForWithoutEnd() throws SQLException {
		LimitStore store = limits("3 per session");
		assertThat(passing(store, "k", 1)).isEqualTo(1);
		try (Connection other = database().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("select * from agent_hooks_limit for update");
			long start = System.nanoTime();
			assertThatException().isThrownBy(() -> store.take("k"))
				.isInstanceOfAny(DataAccessException.class, TransactionException.class);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(5),
					Duration.ofSeconds(40));
			other.rollback();
		}
		assertThat(passing(store, "k", 3)).isEqualTo(2);
	}

}
