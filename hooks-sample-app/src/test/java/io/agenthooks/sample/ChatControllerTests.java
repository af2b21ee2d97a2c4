package io.agenthooks.sample;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.RefusalText;
import io.agenthooks.spring.ai.AgentHooks;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link ChatController}: turns of the real {@code ChatClient} in the
 * application as it is delivered, with a script in place of a model.
 */
@SpringBootTest(webEnvironment = WebEnvironment.DEFINED_PORT, properties = "sample.script=false")
class ChatControllerTests {

	private static final int port = TestSocketUtils.findAvailableTcpPort();

	@TempDir
	private static Path workspace;

	@Autowired
	private SampleJournal journal;

	private final WebTestClient client = WebTestClient.bindToServer()
		.responseTimeout(Duration.ofSeconds(30))
		.baseUrl("http://127.0.0.1:" + port)
		.build();

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry properties) {
		properties.add("server.port", () -> port);
		properties.add("sample.workspace", workspace::toString);
	}

	@Test
	void approvedCallsRunAndTheAgentQuotesThem() {
		ChatReport report = ask("""
				write_file {"path": "a/b.txt", "content": "Hello"}

				read_file {"path": "a/b.txt"}
				list_directory {}
				""");
		assertThat(report.answer())
			.startsWith("write_file said: Wrote 5 characters\nread_file said: Hello\n" + "list_directory said: ");
		assertThat(report.finishReason()).isEqualTo("STOP");
		assertThat(report.model()).isEqualTo("demo (no AI)");
		assertThat(report.toolCalls()).extracting(ToolCallReport::toolName, ToolCallReport::status)
			.containsExactly(tuple("write_file", "succeeded"), tuple("read_file", "succeeded"),
					tuple("list_directory", "succeeded"));
		assertThat(workspace.resolve("a/b.txt")).hasContent("Hello");
	}

	@ParameterizedTest
	@MethodSource
	void callEndsAsTheHooksDecide(String line, String status, @Nullable String decidedBy, String reply) {
		ChatReport report = ask(line);
		assertThat(report.toolCalls()).singleElement().satisfies((call) -> {
			assertThat(call.status()).isEqualTo(status);
			assertThat(call.decidedBy()).isEqualTo(decidedBy);
		});
		assertThat(report.answer()).contains(reply);
		assertThat(report.finishReason()).isEqualTo("STOP");
	}

	static Stream<Arguments> callEndsAsTheHooksDecide() {
		String nobody = null;
		return Stream.of(
				Arguments.of("delete_file {\"path\": \"a\"}", "denied", "house-rules",
						"Tool call denied by hook 'house-rules'"),
				Arguments.of("Read the secrets.", "answered", "secret-files", "This file holds secrets"),
				Arguments.of("Send the report to ann@example.com", "succeeded", "mail-approval", "Sent the e-mail"),
				Arguments.of("Send the report to eve@elsewhere.test", "denied", "mail-approval",
						"E-mails may only go to example.com"),
				Arguments.of(email("ann@example.com", ""), "denied", "mail-has-subject", "mail-has-subject"),
				Arguments.of("read_file {\"path\": \"nowhere\"}", "failed", nobody, "There is no such file"),
				Arguments.of("write_file {\"path\": \"nowhere/x\", \"content\": \"\\u0000\"}", "failed", nobody,
						"The argument 'content' holds characters that are not text"),
				Arguments.of("run_command {\"command\": \"echo out; exit 3\"}", "failed", nobody, "exit code 3"),
				Arguments.of("make_coffee {}", "denied", "unknown-tool", "There is no tool of this name"),
				Arguments.of("read_file {}", "denied", "arguments", "required property 'path' not found"),
				Arguments.of("read_file {\"path\": \"a\", \"path\": \"b\"}", "denied", "arguments",
						"a name stands there twice"),
				Arguments.of("read_file {\"path\": ", "denied", "arguments", "one JSON object"));
	}

	@Test
	void failedCallTellsTheSameInTheReportAsToTheAgent() {
		assertThat(ask("read_file {\"path\": \"nowhere\"}").toolCalls()).singleElement()
			.extracting(ToolCallReport::content)
			.isEqualTo("There is no such file in the workspace");
	}

	@Test
	void batchGoesOnWhenOneOfItsCallsIsDenied() {
		ChatReport report = ask("""
				run_command {"command": "sudo ls"}
				run_command {"command": "echo one"}
				run_command {"command": "echo two"}
				""");
		assertThat(report.toolCalls()).extracting(ToolCallReport::status)
			.containsExactly("denied", "succeeded", "succeeded");
		assertThat(report.answer()).containsSubsequence("run_command said: Tool call denied", "said: one", "said: two");
	}

	@Test
	void agentReadsResultsWithoutSecrets() {
		ChatReport report = ask("run_command {\"command\": \"echo Pay with 4111 1111 1111 1111\"}");
		assertThat(report.answer()).contains("Pay with [").doesNotContain("4111 1111");
		assertThat(report.toolCalls().get(0).replacedBy()).containsExactly("no-secrets");
	}

	@Test
	void secondTurnIsAnsweredFromTheCache() {
		String facts = ask("Which machine is this?").answer();
		ChatReport again = ask("Which machine is this?");
		assertThat(again.answer()).isEqualTo(facts);
		assertThat(again.toolCalls()).extracting(ToolCallReport::status, ToolCallReport::decidedBy)
			.containsExactly(tuple("answered", "machine-facts"));
	}

	@Test
	void modifiedCallIsReportedAsTheToolGotIt() {
		ChatReport report = ask("Send the report to ann@example.com");
		assertThat(report.toolCalls().get(0).verdict()).isEqualTo("modify");
		assertThat(report.toolCalls().get(0).arguments()).containsEntry("body",
				"All is well.\n--\nWritten by an agent.");
	}

	@Test
	void abortedTurnEndsWithoutItsReasonAndTheCallsBehindIt() {
		ChatReport report = ask("run_command {\"command\": \"echo before\"}\n"
				+ email("ann@example.com", "Login").replace("Hello", "My password")
				+ "\nrun_command {\"command\": \"echo after\"}");
		assertThat(report.finishReason()).isEqualTo(AgentHooks.FINISH_REASON);
		assertThat(report.answer()).isEqualTo(RefusalText.DEFAULT);
		assertThat(report.toolCalls()).extracting(ToolCallReport::status).containsExactly("succeeded", "aborted");
	}

	@Test
	void abortedRunIsAnErrorThatTellsWhichHookAndWhatHadRun() {
		post(Map.of("message", "list_directory {}\nread_file {\"path\": \"forbidden\"}\nlist_directory {}"))
			.expectStatus()
			.isForbidden()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("The hook 'guard' aborted the run at the call of the tool 'read_file': enough")
			.jsonPath("$.tool_calls[*].status")
			.isEqualTo(List.of("succeeded", "aborted"));
	}

	@Test
	void callsKnowSessionUserAgentAndRun() {
		ChatReport report = report(post(Map.of("message", "list_directory {}\nread_file {\"path\": \"x\"}",
				"session_id", "s1", "user", "ann", "agent", "coder")));
		List<CallContext> contexts = report.toolCalls()
			.stream()
			.map(this::outcome)
			.map((outcome) -> outcome.effective().context())
			.toList();
		assertThat(contexts).hasSize(2).allSatisfy((context) -> {
			assertThat(context.sessionId()).isEqualTo("s1");
			assertThat(context.user()).isEqualTo("ann");
			assertThat(context.agent()).isEqualTo("coder");
			assertThat(context.runId()).isNotBlank().isEqualTo(contexts.get(0).runId());
		});
	}

	private ToolOutcome outcome(ToolCallReport report) {
		return this.journal.last()
			.stream()
			.filter((outcome) -> outcome.effective().id().equals(report.callId()))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void sessionRemembersWhatWasSaidInIt() {
		String session = UUID.randomUUID().toString();
		report(post(Map.of("message", "Read the secrets", "session_id", session)));
		String recall = "What did I say before?";
		assertThat(report(post(Map.of("message", recall, "session_id", session))).answer())
			.isEqualTo("You said:\n> Read the secrets");
		assertThat(report(post(Map.of("message", recall, "session_id", "another " + session))).answer())
			.isEqualTo("Nothing.");
		assertThat(ask(recall).answer()).isEqualTo("Nothing.");
	}

	@Test
	void messageThatIsNoScriptGetsHelpAndCallsNothing() {
		ChatReport report = ask("What is the meaning of life?");
		assertThat(report.answer()).startsWith("Write calls of tools, one per line");
		assertThat(report.toolCalls()).isEmpty();
	}

	@Test
	void textAroundCallsIsNoCall() {
		ChatReport report = ask("Please look:\nlist_directory {}\n\nThank you {}");
		assertThat(report.toolCalls()).singleElement().extracting(ToolCallReport::toolName).isEqualTo("list_directory");
	}

	@Test
	void streamGivesPiecesAndThenTheReport() {
		List<ServerSentEvent<Map<String, Object>>> events = stream("""
				run_command {"command": "sudo echo one"}
				run_command {"command": "echo two"}
				""");
		assertThat(events).extracting(ServerSentEvent::event).containsExactly("text", "text", "end");
		assertThat(events.get(0).data()).hasEntrySatisfying("text",
				(text) -> assertThat((String) text).startsWith("run_command said: Tool call denied"));
		assertThat(JsonMapper.shared().convertValue(events.get(2).data(), ChatReport.class)).satisfies((report) -> {
			assertThat(report.toolCalls()).extracting(ToolCallReport::status).containsExactly("denied", "succeeded");
			assertThat(report.answer()).endsWith("run_command said: two\n");
			assertThat(report.finishReason()).isEqualTo("STOP");
		});
	}

	@Test
	void streamOfAbortedTurnEndsWithoutItsReason() {
		List<ServerSentEvent<Map<String, Object>>> events = stream(
				email("ann@example.com", "Login").replace("Hello", "My password"));
		assertThat(events).extracting(ServerSentEvent::event).containsExactly("text", "end");
		assertThat(events.get(1).data()).containsEntry("finish_reason", AgentHooks.FINISH_REASON)
			.containsEntry("answer", RefusalText.DEFAULT);
	}

	@Test
	void streamOfAbortedRunEndsWithAnError() {
		List<ServerSentEvent<Map<String, Object>>> events = stream("read_file {\"path\": \"forbidden\"}");
		assertThat(events).singleElement().satisfies((event) -> {
			assertThat(event.event()).isEqualTo("error");
			assertThat(event.data()).hasEntrySatisfying("error",
					(text) -> assertThat((String) text).contains("The hook 'guard' aborted the run"));
		});
	}

	@ParameterizedTest
	@MethodSource
	void bodyThatIsNoQuestionAsksNobody(String accept, String body, String error) {
		List<ToolOutcome> before = this.journal.last();
		this.client.post()
			.uri("/api/chat")
			.contentType(MediaType.APPLICATION_JSON)
			.header(HttpHeaders.ACCEPT, accept)
			.bodyValue(body.getBytes(StandardCharsets.UTF_8))
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_JSON)
			.expectBody()
			.jsonPath("$.error")
			.value(String.class, (text) -> assertThat(text).contains(error))
			.jsonPath("$.tool_calls")
			.doesNotExist();
		assertThat(this.journal.last()).isEqualTo(before);
	}

	static Stream<Arguments> bodyThatIsNoQuestionAsksNobody() {
		String any = MediaType.ALL_VALUE;
		return Stream.of(Arguments.of(any, "", "one JSON object"), Arguments.of(any, "[]", "one JSON object"),
				Arguments.of(any, "{}", "'message' must be there"),
				Arguments.of(any, "{\"message\":1}", "'message' must be there"),
				Arguments.of(any, "{\"message\":\" \"}", "'message' must not be blank"),
				Arguments.of(any, "{\"message\":\"x\",\"message\":\"list_directory {}\"}", "stands there twice"),
				Arguments.of(any, "{\"message\":\"list_directory {}\",\"sessionId\":\"s\"}",
						"The key 'sessionId' is not known; there are message, session_id, user, agent"),
				Arguments.of(any, "{\"message\":\"list_directory {}\",\"session_id\":\"\"}",
						"'session_id' must not be blank"),
				Arguments.of(any, "{\"message\":\"list_directory {}\",\"user\":7}", "'user' must be a string"),
				Arguments.of(MediaType.TEXT_EVENT_STREAM_VALUE, "{}", "'message' must be there"));
	}

	private ChatReport ask(String message) {
		return report(post(Map.of("message", message)));
	}

	private static ChatReport report(WebTestClient.ResponseSpec response) {
		return Objects.requireNonNull(
				response.expectStatus().isOk().expectBody(ChatReport.class).returnResult().getResponseBody());
	}

	private WebTestClient.ResponseSpec post(Map<String, String> question) {
		return this.client.post()
			.uri("/api/chat")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(question)
			.exchange();
	}

	private List<ServerSentEvent<Map<String, Object>>> stream(String message) {
		return Objects.requireNonNull(this.client.post()
			.uri("/api/chat")
			.contentType(MediaType.APPLICATION_JSON)
			.accept(MediaType.TEXT_EVENT_STREAM)
			.bodyValue(Map.of("message", message))
			.exchange()
			.expectStatus()
			.isOk()
			.returnResult(new ParameterizedTypeReference<ServerSentEvent<Map<String, Object>>>() {
			})
			.getResponseBody()
			.collectList()
			.block());
	}

	private static String email(String to, String subject) {
		return "send_email {\"to\": \"" + to + "\", \"subject\": \"" + subject + "\", \"body\": \"Hello\"}";
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Guard {

		@Bean
		PreToolHook guard() {
			return PreToolHook.named("guard", (call) -> "forbidden".equals(call.arguments().get("path"))
					? ToolDecision.abortRun("enough") : ToolDecision.approve());
		}

	}

}
