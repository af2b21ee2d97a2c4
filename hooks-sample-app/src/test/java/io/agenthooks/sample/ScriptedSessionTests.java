package io.agenthooks.sample;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScriptedSession} in the application as it is delivered.
 */
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(webEnvironment = WebEnvironment.DEFINED_PORT)
class ScriptedSessionTests {

	private static final int port = TestSocketUtils.findAvailableTcpPort();

	@TempDir
	private static Path workspace;

	@Autowired
	private CallJournal journal;

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry properties) {
		properties.add("server.port", () -> port);
		properties.add("sample.workspace", workspace::toString);
	}

	@Test
	void runMakesEveryCallPassTheHooks() {
		List<String> calls = new ArrayList<>(
				this.journal.last().stream().map(ToolCallReport::of).map(ScriptedSessionTests::describe).toList());
		Collections.reverse(calls);
		assertThat(calls).containsExactly("write_file approve succeeded null", "list_directory approve succeeded null",
				"read_file approve succeeded null", "run_command approve succeeded null",
				"run_command deny denied house-rules", "run_command deny denied house-rules",
				"delete_file deny denied house-rules", "read_file respond answered secret-files",
				"read_file approve failed null", "make_coffee approve failed null",
				"send_email modify succeeded mail-approval", "send_email deny denied mail-approval",
				"send_email abort aborted mail-approval");
	}

	@Test
	void runLeavesWorkOfApprovedCallsOnly() {
		assertThat(workspace.resolve("notes/plan.txt")).hasContent("Buy oranges.\nCall Ann.\n");
	}

	@Test
	void runPrintsCalls(CapturedOutput output) {
		assertThat(output.getOut()).contains("no model is involved")
			.contains(SessionTable.heading())
			.contains("rm -rf notes")
			.contains("E-mails may only go to example.com");
	}

	private static String describe(ToolCallReport report) {
		return "%s %s %s %s".formatted(report.toolName(), report.verdict(), report.status(), report.decidedBy());
	}

}
