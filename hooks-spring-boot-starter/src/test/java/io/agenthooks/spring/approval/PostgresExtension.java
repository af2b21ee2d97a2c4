package io.agenthooks.spring.approval;

import java.io.IOException;
import java.util.Objects;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A real PostgreSQL for the tests of a class and those nested in it. Each test starts
 * without our tables.
 */
public final class PostgresExtension implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

	private @Nullable EmbeddedPostgres server;

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		if (isNested(context)) {
			return;
		}
		this.server = TestPostgres.start();
	}

	/**
	 * Nested classes use the server of the class around them.
	 */
	private static boolean isNested(ExtensionContext context) {
		return !context.getEnclosingTestClasses().isEmpty();
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		dropTables();
	}

	public void dropTables() {
		JdbcClient client = JdbcClient.create(database());
		client.sql("select tablename from pg_tables where tablename like 'agent\\_hooks\\_%'")
			.query(String.class)
			.list()
			.forEach((table) -> client.sql("drop table " + table + " cascade").update());
	}

	@Override
	public void afterAll(ExtensionContext context) throws IOException {
		if (isNested(context)) {
			return;
		}
		server().close();
	}

	public EmbeddedPostgres server() {
		return Objects.requireNonNull(this.server);
	}

	public DataSource database() {
		return server().getPostgresDatabase();
	}

}
