package io.agenthooks.spring.approval;

import java.nio.file.Path;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Tests for turns that end until people have decided, with an H2 file.
 */
class H2SuspendedCallsTests extends JdbcSuspendedCallsContract {

	@TempDir
	Path directory;

	private JdbcConnectionPool pool;

	@BeforeEach
	void start() {
		this.pool = JdbcConnectionPool.create("jdbc:h2:file:" + this.directory.resolve("h2"), "sa", "");
		this.pool.setMaxConnections(8);
	}

	@AfterEach
	void stop() {
		this.pool.dispose();
	}

	/**
	 * One that the application does not close.
	 */
	@Override
	DataSource database() {
		return new DelegatingDataSource(this.pool);
	}

}
