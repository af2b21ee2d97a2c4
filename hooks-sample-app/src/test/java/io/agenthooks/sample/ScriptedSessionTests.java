package io.agenthooks.sample;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
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
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.reactive.server.WebTestClient;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurns;
import io.agenthooks.spring.suspend.ToolApprovals;

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

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final WebTestClient client = WebTestClient.bindToServer()
		.baseUrl("http://127.0.0.1:" + port)
		.responseTimeout(PATIENCE)
		.build();

	@Autowired
	private SampleJournal journal;

	@Autowired
	private ToolApprovals questions;

	@Autowired
	private ContinuedTurns turns;

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
				"delete_file deny denied house-rules", "write_file approve succeeded null",
				"refund_order ask pending house-rules");
	}

	@Test
	void refundWaitsForAPersonAndTheAgentGoesOn() {
		ApprovalRequest question = this.questions.pending(10)
			.stream()
			.filter((each) -> each.tool().modelName().equals("refund_order"))
			.findFirst()
			.orElseThrow();
		assertThat(question.user()).isEqualTo("ann");
		client.get()
			.uri("/hooks/approvals")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.questions[0].sentence")
			.isEqualTo("Refund 900 EUR for order A-17");
		client.post()
			.uri("/hooks/approvals/" + question.id())
			.contentType(MediaType.APPLICATION_JSON)
			.header("If-Match", "\"" + question.revision() + "\"")
			.bodyValue("{\"verdict\": \"approve\"}")
			.exchange()
			.expectStatus()
			.isOk();
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		ContinuedTurn turn;
		do {
			turn = this.turns.find(question.id()).orElseThrow();
		}
		while (!turn.status().isEnd() && System.nanoTime() - deadline < 0);
		assertThat(turn.answer()).startsWith("refund_order said: Refunded 900 EUR for the order A-17");
	}

	@Test
	void everyCallIsOnRecord() {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		String found;
		do {
			found = new String(Objects.requireNonNull(client.get()
				.uri("/actuator/toolaudit?from=2020-01-01T00:00:00Z")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody()
				.returnResult()
				.getResponseBody()), StandardCharsets.UTF_8);
		}
		while (!found.contains("mail-has-subject") && System.nanoTime() - deadline < 0);
		assertThat(found).contains("mail-has-subject", "house-rules", "HMAC-SHA256");
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
	void runPrintsItsTablesWithoutALineOfTheLogBetween(CapturedOutput output) {
		String out = output.getOut();
		int start = out.indexOf("A scripted agent session");
		int end = out.indexOf("What the agent did: http://127.0.0.1:" + port + "/hooks");
		assertThat(start).isNotNegative();
		assertThat(out.substring(start, end)).contains("The refund waits for a person")
			.doesNotContain(" INFO ", " WARN ", "io.agenthooks.denials");
	}

	@Test
	void runPrintsCalls(CapturedOutput output) {
		assertThat(output.getOut()).contains("no model is involved")
			.contains(SessionTable.heading())
			.contains("rm -rf notes")
			.contains("E-mails may only go to example.com")
			.contains("Model: demo (no AI). Message: Clean up the workspace");
	}

	private static String describe(ToolCallReport report) {
		return "%s %s %s %s".formatted(report.toolName(), report.verdict(), report.status(), report.decidedBy());
	}

}
