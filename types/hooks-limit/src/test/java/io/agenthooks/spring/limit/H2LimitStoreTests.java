package io.agenthooks.spring.limit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LimitStore} with H2 in a file.
 */
class H2LimitStoreTests extends JdbcLimitStoreContract {

	@TempDir
	Path directory;

	private JdbcConnectionPool pool;

	@BeforeEach
	void start() {
		this.pool = JdbcConnectionPool.create("jdbc:h2:file:" + this.directory.resolve("h2"), "sa", "");
		this.pool.setMaxConnections(20);
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
	void whatIsUsedUpIsStillSoAfterARestart() {
		LimitStore before = limits("3 per session");
		assertThat(passing(before, "k", 2)).isEqualTo(2);
		JdbcClient.create(this.pool).sql("shutdown").update();
		this.pool.dispose();
		start();
		assertThat(passing(open("hook1", List.of(WrittenLimit.of("3 per session")), Duration.ofDays(1), 1_000), "k", 2))
			.isEqualTo(1);
	}

}
