package io.agenthooks.sample;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the sample with people who log in.
 */
class SecuredProfileTests {

	private static final int port = TestSocketUtils.findAvailableTcpPort();

	private static final WebTestClient client = WebTestClient.bindToServer()
		.responseTimeout(Duration.ofSeconds(30))
		.baseUrl("http://127.0.0.1:" + port)
		.build();

	@TempDir
	private static Path workspace;

	private static ConfigurableApplicationContext sample;

	@BeforeAll
	static void start() {
		sample = SpringApplication.run(SampleApplication.class, "--spring.profiles.active=secured",
				"--sample.script=false", "--server.port=" + port, "--sample.workspace=" + workspace);
	}

	@AfterAll
	static void stop() {
		sample.close();
	}

	@ParameterizedTest
	@CsvSource({ "ann, 500, succeeded", "ann, 500.01, pending", "ann, 1e3, pending", "ann, '\"900\"', denied",
			"boss, 900, succeeded" })
	void refundIsDecidedByAmountAndUser(String user, String amount, String status) {
		String arguments = "{\"orderId\": \"A-1\", \"amount\": %s}".formatted(amount);
		for (String named : List.of("", ", \"user\": \"boss\"")) {
			assertThat(post(user, "/api/tool-calls",
					"{\"tool_name\": \"refund_order\", \"arguments\": %s%s}".formatted(arguments, named)))
				.contains("\"status\":\"" + status + "\"");
		}
		for (String accept : List.of(MediaType.APPLICATION_JSON_VALUE, MediaType.TEXT_EVENT_STREAM_VALUE)) {
			assertThat(chat(user, arguments, accept)).contains("\"status\":\"" + status + "\"");
		}
	}

	@Test
	void nobodyGetsInWithoutAPassword() {
		client.get().uri("/api/tool-calls").exchange().expectStatus().isUnauthorized();
		client.get()
			.uri("/api/tool-calls")
			.headers((headers) -> headers.setBasicAuth("ann", "boss"))
			.exchange()
			.expectStatus()
			.isUnauthorized();
	}

	@ParameterizedTest
	@CsvSource({ "ann, 403", "boss, 200" })
	void onlyAdministratorsSeeAndSwitchHooks(String user, int status) {
		for (String path : List.of("/actuator/toolhooks", "/actuator/toolhooks/refund_order", "/actuator/toolcalls")) {
			client.get()
				.uri(path)
				.headers((headers) -> headers.setBasicAuth(user, user))
				.exchange()
				.expectStatus()
				.isEqualTo(status);
			client.get().uri(path).exchange().expectStatus().isUnauthorized();
		}
		client.post()
			.uri("/actuator/toolhooks/switch")
			.headers((headers) -> headers.setBasicAuth(user, user))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"enabled\": true}")
			.exchange()
			.expectStatus()
			.isEqualTo(status);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/hooks", "/hooks/console.js", "/hooks/settings.json" })
	void consoleIsForAdministrators(String path) {
		client.get().uri(path).exchange().expectStatus().isUnauthorized();
		client.get()
			.uri(path)
			.headers((headers) -> headers.setBasicAuth("ann", "ann"))
			.exchange()
			.expectStatus()
			.isForbidden();
		client.get()
			.uri(path)
			.headers((headers) -> headers.setBasicAuth("boss", "boss"))
			.exchange()
			.expectStatus()
			.isOk();
	}

	@Test
	void otherHostsAreStillRefused() {
		client.get()
			.uri("/api/tool-calls")
			.headers((headers) -> headers.setBasicAuth("boss", "boss"))
			.header("Host", "evil.example")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.FORBIDDEN);
	}

	@Test
	void commandsOfTheReadmeDoWhatItPrints() throws Exception {
		assertThat(ShownCommands.check(Path.of("README.md"), "With people who log in", port)).isEqualTo(3);
	}

	private static String chat(String user, String arguments, String accept) {
		String message = JsonMapper.builder().build().writeValueAsString("refund_order " + arguments);
		return post(user, "/api/chat", "{\"message\": %s, \"session_id\": \"shared\"}".formatted(message), accept);
	}

	private static String post(String user, String path, String body) {
		return post(user, path, body, MediaType.APPLICATION_JSON_VALUE);
	}

	private static String post(String user, String path, String body, String accept) {
		byte[] answer = client.post()
			.uri(path)
			.headers((headers) -> headers.setBasicAuth(user, user))
			.header("Accept", accept)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchange()
			.expectStatus()
			.is2xxSuccessful()
			.expectBody()
			.returnResult()
			.getResponseBodyContent();
		return new String((answer != null) ? answer : new byte[0], StandardCharsets.UTF_8);
	}

}
