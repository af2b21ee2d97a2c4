package io.agenthooks.spring.limit;

import java.io.IOException;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.spring.approval.TestPostgres;

/**
 * Tests for {@link JdbcFlowStore} with a real PostgreSQL.
 */
class PostgresFlowStoreTests extends JdbcFlowStoreContract {

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
		JdbcClient.create(database()).sql("drop table if exists agent_hooks_flow").update();
	}

	@Override
	DataSource database() {
		return postgres.getPostgresDatabase();
	}

}
