package io.agenthooks.sample;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

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
	private SampleJournal journal;

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
				"send_email abort aborted mail-approval", "send_email deny denied mail-has-subject",
				"write_file approve succeeded null", "read_file approve succeeded null",
				"describe_machine approve succeeded null", "describe_machine respond answered machine-facts",
				// The turn of the agent
				"list_directory approve succeeded null", "run_command deny denied house-rules",
				"delete_file deny denied house-rules", "write_file approve succeeded null");
	}

	@Test
	void runLeavesWorkOfApprovedCallsOnly() {
		assertThat(workspace.resolve("notes/plan.txt")).hasContent("Buy oranges.\nCall Ann.\n");
	}

	@Test
	void runShowsResultsWithoutSecretsAndWhatATrialWouldDeny() {
		assertThat(this.journal.last()).filteredOn((outcome) -> outcome.replacedBy().contains("no-secrets"))
			.singleElement()
			.satisfies((outcome) -> {
				assertThat(Objects.requireNonNull(outcome.originalResult()).content()).contains("4111 1111");
				assertThat(Objects.requireNonNull(outcome.result()).content()).startsWith("Pay with [")
					.doesNotContain("4111 1111");
			});
		assertThat(this.journal.last()).filteredOn((outcome) -> outcome.wouldDeny().contains("read-only-trial"))
			.hasSize(3)
			.allSatisfy((outcome) -> assertThat(outcome.effective().tool()).isEqualTo("write_file"));
	}

	@Test
	void runPrintsEvents(CapturedOutput output) {
		assertThat(output.getOut()).contains("events: started, modified by mail-approval, succeeded")
			.contains("events: started, result replaced by no-secrets, succeeded")
			.contains("events: started, answered")
			.contains("events: started, aborted");
	}

	@Test
	void runPrintsCalls(CapturedOutput output) {
		assertThat(output.getOut()).contains("no model is involved")
			.contains(SessionTable.heading())
			.contains("rm -rf notes")
			.contains("E-mails may only go to example.com")
			.contains("Model: script (no AI). Message: Clean up the workspace");
	}

	private static String describe(ToolCallReport report) {
		return "%s %s %s %s".formatted(report.toolName(), report.verdict(), report.status(), report.decidedBy());
	}

}
