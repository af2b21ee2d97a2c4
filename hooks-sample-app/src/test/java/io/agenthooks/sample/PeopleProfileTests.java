package io.agenthooks.sample;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the sample with people who decide about mail to strangers.
 */
class PeopleProfileTests {

	private static final String MAIL = """
			{"message": "list_directory {}\\nsend_email {\\"to\\": \\"eve@other.example\\", \\"subject\\": \\"Hi\\", \\"body\\": \\"\\"}",
			 "session_id": "s1"}""";

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final int port = TestSocketUtils.findAvailableTcpPort();

	private final WebTestClient client = WebTestClient.bindToServer()
		.baseUrl("http://127.0.0.1:" + this.port)
		.responseTimeout(PATIENCE)
		.build();

	@TempDir
	private Path directory;

	private @Nullable ConfigurableApplicationContext sample;

	private void start() {
		this.sample = SpringApplication.run(SampleApplication.class, "--spring.profiles.active=secured,people",
				"--sample.script=false", "--server.port=" + this.port,
				"--sample.workspace=" + this.directory.resolve("work"),
				"--sample.home=" + this.directory.resolve("home"));
	}

	@AfterEach
	void stop() {
		if (this.sample != null) {
			this.sample.close();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { MediaType.APPLICATION_JSON_VALUE, MediaType.TEXT_EVENT_STREAM_VALUE })
	void approvedMailIsSentAfterARestart(String accept) {
		start();
		JsonNode turn = ask(accept);
		assertThat(turn.get("finish_reason").asString()).isEqualTo("pending");
		assertThat(turn.get("tool_calls").toString()).contains("\"list_directory\",\"status\":\"succeeded\"")
			.contains("\"send_email\",\"status\":\"pending\"");
		String id = turn.get("approvals").get(0).asString();
		stop();
		start();
		assertThat(decide(id, "{\"verdict\": \"approve\"}").get("state").asString()).isIn("approved", "claimed");
		assertThat(lastCall("send_email", "succeeded").get("arguments").get("to").asString())
			.isEqualTo("eve@other.example");
		assertThat(get("ann", "/api/outbox").toString()).contains("eve@other.example");
	}

	@Test
	void deniedMailIsNotSentAndTheAgentReadsWhy() {
		start();
		String id = ask(MediaType.APPLICATION_JSON_VALUE).get("approvals").get(0).asString();
		decide(id, "{\"verdict\": \"deny\", \"reason\": \"not to strangers\"}");
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		String recalled;
		do {
			recalled = post("ann", "{\"message\": \"What did I say before?\", \"session_id\": \"s1\"}",
					MediaType.APPLICATION_JSON_VALUE);
		}
		while (!recalled.contains("eve@other.example") && System.nanoTime() - deadline < 0);
		assertThat(recalled).contains("eve@other.example");
		assertThat(get("ann", "/api/outbox").toString()).isEqualTo("[]");
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			-, 401, Log in as ann or boss.
			ann, 403, Only an administrator may do this.
			""")
	void whoMayNotDecideGetsAProblem(@Nullable String user, int status, String detail) {
		start();
		EntityExchangeResult<byte[]> refused = this.client.get().uri("/hooks/approvals").headers((headers) -> {
			if (user != null) {
				headers.setBasicAuth(user, user);
			}
		})
			.exchange()
			.expectStatus()
			.isEqualTo(status)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.returnResult();
		JsonNode problem = new JsonMapper().readTree(refused.getResponseBody());
		assertThat(problem.get("status").asInt()).isEqualTo(status);
		assertThat(problem.get("detail").asString()).isEqualTo(detail);
		assertThat(refused.getResponseHeaders().containsHeader("WWW-Authenticate")).isEqualTo(user == null);
	}

	@Test
	void mailToColleaguesAsksNobody() {
		start();
		assertThat(post("ann",
				"{\"message\": \"send_email {\\\"to\\\": \\\"bob@example.com\\\", \\\"subject\\\": \\\"Hi\\\", \\\"body\\\": \\\"\\\"}\"}",
				MediaType.APPLICATION_JSON_VALUE))
			.contains("\"status\":\"succeeded\"");
	}

	private JsonNode ask(String accept) {
		String answer = post("ann", MAIL, accept);
		int end = answer.lastIndexOf("data:");
		return new JsonMapper().readTree((end >= 0) ? answer.substring(end + 5) : answer);
	}

	private String post(String user, String message, String accept) {
		byte[] body = this.client.post()
			.uri("/api/chat")
			.headers((headers) -> headers.setBasicAuth(user, user))
			.contentType(MediaType.APPLICATION_JSON)
			.accept(MediaType.parseMediaType(accept))
			.bodyValue(message)
			.exchange()
			.expectStatus()
			.is2xxSuccessful()
			.expectBody()
			.returnResult()
			.getResponseBody();
		return new String(Objects.requireNonNull(body), StandardCharsets.UTF_8);
	}

	private JsonNode get(String user, String path) {
		return new JsonMapper().readTree(this.client.get()
			.uri(path)
			.headers((headers) -> headers.setBasicAuth(user, user))
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.returnResult()
			.getResponseBody());
	}

	/**
	 * Boss looks at what waits, and decides.
	 */
	private JsonNode decide(String id, String decision) {
		EntityExchangeResult<byte[]> seen = this.client.get()
			.uri("/hooks/approvals")
			.headers((headers) -> headers.setBasicAuth("boss", "boss"))
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.returnResult();
		JsonNode list = new JsonMapper().readTree(seen.getResponseBody());
		JsonNode question = list.get("questions")
			.valueStream()
			.filter((each) -> each.get("id").asString().equals(id))
			.findFirst()
			.orElseThrow();
		assertThat(question.at("/askers/0/rule").asString()).isEqualTo("to-strangers");
		JsonNode csrf = list.get("csrf");
		return new JsonMapper().readTree(this.client.post().uri("/hooks/approvals/" + id).headers((headers) -> {
			headers.setBasicAuth("boss", "boss");
			headers.setIfMatch("\"" + question.get("revision").asInt() + "\"");
			if (!csrf.isNull()) {
				headers.set(csrf.get("header").asString(), csrf.get("token").asString());
			}
		})
			.cookies((cookies) -> seen.getResponseCookies()
				.values()
				.stream()
				.flatMap((values) -> values.stream())
				.forEach((ResponseCookie cookie) -> cookies.add(cookie.getName(), cookie.getValue())))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(decision)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.returnResult()
			.getResponseBody());
	}

	/**
	 * Wait until a call has ended.
	 */
	private JsonNode lastCall(String tool, String status) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (System.nanoTime() - deadline < 0) {
			for (JsonNode call : get("ann", "/api/tool-calls")) {
				if (call.get("tool_name").asString().equals(tool) && call.get("status").asString().equals(status)) {
					return call;
				}
			}
		}
		throw new AssertionError("No call of '%s' is %s".formatted(tool, status));
	}

}
