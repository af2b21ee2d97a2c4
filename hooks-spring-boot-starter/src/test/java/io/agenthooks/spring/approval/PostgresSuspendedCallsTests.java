package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.spring.approval.ApprovalRefusedException.Reason;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for turns that end until people have decided, with a real PostgreSQL.
 */
class PostgresSuspendedCallsTests extends JdbcSuspendedCallsContract {

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
	void dropTables() {
		for (String table : new String[] { "turn", "call", "schema" }) {
			JdbcClient.create(database()).sql("drop table if exists agent_hooks_approval_" + table).update();
		}
		JdbcClient.create(database()).sql("drop table if exists agent_hooks_approval").update();
	}

	@Override
	DataSource database() {
		return postgres.getPostgresDatabase();
	}

	@Test
	void callOfANodeThatWasKilledWhileItsToolRanIsNotRunAgain() {
		this.application.run(ResumingNode.node(this.application, database()), (context) -> {
			String id = approved(this.application, ApprovalApplication.CALL);
			keep(this.application, id);
			Process node = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
					System.getProperty("java.class.path"), ResumingNode.class.getName(),
					postgres.getJdbcUrl("postgres", "postgres"), id)
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			assertThat(node.waitFor(100, TimeUnit.SECONDS)).isTrue();
			assertThat(node.exitValue()).isEqualTo(ResumingNode.KILLED);
			assertThat(question(this.application, id).state()).isEqualTo(ApprovalState.CLAIMED);
			assertThat(refused(this.application, id)).isEqualTo(Reason.SETTLED);
			assertThat(this.application.ran).isEmpty();
		});
	}

}
