package io.agenthooks.sample;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SessionTable}.
 */
class SessionTableTests {

	@Test
	void rowStandsBelowHeading() {
		String row = SessionTable.row(report("run_command", "rm -rf notes", "policy", "not allowed"));
		assertThat(row).contains("{\"command\":\"rm -rf notes\"}").contains("1.5 ms");
		assertThat(row.indexOf("not allowed")).isEqualTo(SessionTable.heading().indexOf("REASON"));
		assertThat(row.indexOf("policy")).isEqualTo(SessionTable.heading().indexOf("BY"));
	}

	@Test
	void rowWhenTextIsLongOrDangerousIsOneShortLine() {
		String row = SessionTable
			.row(report("run_command", "x".repeat(1000), "policy", "\u001b[31mred\nline\u202e" + "y".repeat(1000)));
		assertThat(row).hasSizeLessThan(240).doesNotContain("\u001b", "\n", "\u202e").endsWith("...");
	}

	@Test
	void rowShowsNoSecrets() {
		assertThat(SessionTable.row(report("run_command", "login 4111 1111 1111 1111", "policy", "not allowed")))
			.contains("login [redacted:card]");
	}

	private static ToolCallReport report(String tool, String command, String hook, String reason) {
		return new ToolCallReport("id", tool, "denied", "deny", hook, reason, null, "content", List.of(), List.of(),
				Map.of("command", command), 1.5);
	}

}
