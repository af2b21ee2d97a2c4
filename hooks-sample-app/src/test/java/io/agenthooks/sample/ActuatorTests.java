package io.agenthooks.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the endpoints of the actuator in the application as it is delivered.
 */
@SpringBootTest(webEnvironment = WebEnvironment.DEFINED_PORT, properties = "sample.script=false")
class ActuatorTests {

	private static final int port = TestSocketUtils.findAvailableTcpPort();

	private static final JsonMapper json = JsonMapper.builder().build();

	@TempDir
	private static Path workspace;

	private final WebTestClient client = WebTestClient.bindToServer()
		.responseTimeout(Duration.ofSeconds(30))
		.baseUrl("http://127.0.0.1:" + port)
		.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(-1))
		.build();

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry properties) {
		properties.add("server.port", () -> port);
		properties.add("sample.workspace", workspace::toString);
	}

	@Test
	void hooksAreListedWithTheirPlacesAndEveryToolIsGuarded() {
		JsonNode hooks = get("/actuator/toolhooks");
		assertThat(hooks.at("/tool_call/pre_call").findValuesAsString("name")).contains("house-rules", "mail-approval",
				"machine-facts", "read-only-trial");
		assertThat(hooks.at("/tool_call/post_call").findValuesAsString("name")).contains("no-secrets", "call-journal");
		assertThat(hooks.get("tools").findValuesAsString("name")).contains("send_email", "run_command", "refund_order",
				"write_file", "read_file");
		assertThat(hooks.get("tools").findValuesAsString("guarded_by")).isNotEmpty().doesNotContain("unguarded");
		assertThat(hooks.toString()).doesNotContain("only-for-the-demo");
	}

	@Test
	void deniedCallIsExplainedAsItIsDecided() {
		String call = "{\"tool_name\": \"run_command\", \"arguments\": {\"command\": \"sudo ls\"}}";
		JsonNode explained = post("/actuator/toolhooks", call);
		post("/api/tool-calls", call);
		JsonNode last = get("/actuator/toolcalls?tool=run_command&limit=1").at("/calls/0");
		JsonNode made = get("/actuator/toolcalls/" + last.get("call_id").asString());
		assertThat(explained.get("verdict").asString()).isEqualTo("deny");
		for (String member : List.of("verdict", "decided_by", "reason", "arguments")) {
			assertThat(explained.get(member)).isEqualTo(made.get(member));
		}
		assertThat(made.get("rule").asString()).isEqualTo("deny_argument_patterns.command");
		assertThat(made.get("rule_origin").asString()).contains("application.yaml");
		assertThat(last.get("reason")).isEqualTo(made.get("reason"));
	}

	@Test
	void pageOfAnotherHostCannotSwitchToolsOff() {
		this.client.post()
			.uri("/actuator/toolhooks/switch")
			.header("Origin", "http://evil.example")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"enabled\": false}")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.FORBIDDEN);
		assertThat(get("/actuator/toolhooks").get("tools_enabled").asBoolean()).isTrue();
	}

	private JsonNode get(String uri) {
		return json.readTree(this.client.get()
			.uri(uri)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
	}

	private JsonNode post(String uri, String body) {
		return json.readTree(this.client.post()
			.uri(uri)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
	}

}
