package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import io.agenthooks.spring.jdbc.PostgresExtension;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for turns that end until people have decided, with a real PostgreSQL.
 */
@Tag("slow")
class PostgresSuspendedCallsTests extends JdbcSuspendedCallsContract {

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@Override
	DataSource database() {
		return postgres.database();
	}

	@Test
	void callOfANodeThatWasKilledWhileItsToolRanIsNotRunAgain() {
		this.application.run(ResumingNode.node(this.application, database()), (context) -> {
			String id = approved(this.application, ApprovalApplication.CALL);
			keep(this.application, id);
			Process node = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
					System.getProperty("java.class.path"), ResumingNode.class.getName(),
					postgres.server().getJdbcUrl("postgres", "postgres"), id)
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
