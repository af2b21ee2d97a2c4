package io.agenthooks.spring.approval;

import java.nio.file.Path;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for turns that go on by themselves, with an H2 file.
 */
class H2TurnContinuationsTests extends TurnContinuationsContract {

	@TempDir
	Path directory;

	private JdbcConnectionPool pool;

	@BeforeEach
	void open() {
		this.pool = JdbcConnectionPool.create("jdbc:h2:file:" + this.directory.resolve("h2"), "sa", "");
		this.pool.setMaxConnections(8);
	}

	@AfterEach
	void close() {
		this.pool.dispose();
	}

	/**
	 * One that the application does not close.
	 */
	@Override
	DataSource database() {
		return new DelegatingDataSource(this.pool);
	}

	@Test
	void callsThatWaitOnTheirThreadsStopTheStart() {
		this.application.asking()
			.withPropertyValues("hooks.approval.resume=auto", "hooks.approval.mode=block")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("resume")
				.hasStackTraceContaining("no turn ends"));
		this.application.asking()
			.withPropertyValues("hooks.approval.resume=auto")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("resume")
				.hasStackTraceContaining("no turn ends"));
	}

	@Test
	void nothingThatGoesOnStopsTheStart() {
		this.application.asking()
			.withBean(DataSource.class, this::database)
			.withPropertyValues("hooks.approval.resume=auto", "hooks.approval.jdbc.initialize_schema=always")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("nothing can go on with a turn"));
	}

	@Test
	void bypassedHooksNeedNothingThatGoesOn() {
		this.application.asking()
			.withBean(DataSource.class, this::database)
			.withPropertyValues("hooks.approval.resume=auto", "hooks.approval.jdbc.initialize_schema=always",
					"hooks.tool_call.bypass_hooks=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
