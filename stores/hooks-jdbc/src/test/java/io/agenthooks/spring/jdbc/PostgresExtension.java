package io.agenthooks.spring.jdbc;

import java.util.Objects;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A real PostgreSQL, which the classes of a JVM share, for the tests of a class and those
 * nested in it. Each test starts without our tables.
 */
public final class PostgresExtension implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

	private @Nullable HikariDataSource pool;

	@Override
	public void beforeAll(ExtensionContext context) {
		if (isNested(context)) {
			return;
		}
		this.pool = TestPostgres.pool(server());
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
	public void afterAll(ExtensionContext context) {
		if (isNested(context)) {
			return;
		}
		Objects.requireNonNull(this.pool).close();
	}

	public EmbeddedPostgres server() {
		return TestPostgres.shared();
	}

	/**
	 * The pool of this class. An application that has it as a bean does not close it.
	 */
	public DataSource database() {
		return new DelegatingDataSource(Objects.requireNonNull(this.pool));
	}

}
