package io.agenthooks.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that dashboard and alerts in {@code docs/grafana} name nothing that the sample
 * does not measure, and of the health of its hooks.
 */
class GrafanaTests {

	private static final Path GRAFANA = Path.of("../docs/grafana");

	private static final int port = TestSocketUtils.findAvailableTcpPort();

	private static final WebTestClient client = WebTestClient.bindToServer()
		.responseTimeout(Duration.ofSeconds(30))
		.baseUrl("http://127.0.0.1:" + port)
		.build();

	/** The name of a meter, and what stands in braces behind it. */
	private static final Pattern SELECTOR = Pattern.compile("\\b(hooks_[a-z_]+)(\\{[^}]*})?");

	private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)\\s*\"([^\"]*)\"");

	private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");

	private static final Pattern LEGEND = Pattern.compile("\\{\\{\\s*([a-z_]+)\\s*}}|\\$labels\\.([a-z_]+)");

	@TempDir
	private static Path directory;

	private static ConfigurableApplicationContext sample;

	/** The labels with their values, by the name of the series. */
	private static Map<String, Map<String, Set<String>>> measured;

	@BeforeAll
	static void start() throws IOException {
		Path yaml = Files.writeString(directory.resolve("more.yaml"), """
				hooks:
				  audit:
				    enabled: true
				    node: grafana
				    file: {path: "%1$s/audit"}
				  tool_call:
				    replaces: [no-secrets]
				    post_call:
				      - {type: redact, name: no-secrets}
				      - type: webhook
				        name: listener
				        config: {url: "http://127.0.0.1:1/"}
				  llm_call:
				    pre_call:
				      - type: webhook
				        name: weak
				        config: {url: "http://127.0.0.1:1/?token=hunter2", fail_open: true}
				  run:
				    pre_run:
				      - type: webhook
				        name: weak-run
				        config: {url: "http://127.0.0.1:1/", fail_open: true}
				management.endpoint.health.show-details: always
				""".formatted(directory));
		sample = SpringApplication.run(SampleApplication.class, "--sample.script=false", "--server.port=" + port,
				"--sample.workspace=" + directory.resolve("workspace"),
				"--spring.config.additional-location=file:" + yaml);
		call("write_file", Map.of("path", "a.txt", "content", "x"));
		call("run_command", Map.of("command", "sudo ls"));
		assertThatExceptionOfType(TurnSuspendedException.class)
			.isThrownBy(() -> call("refund_order", Map.of("orderId", "A-17", "amount", 900)));
		client.post()
			.uri("/api/chat")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"message\": \"hello\"}")
			.exchange()
			.expectStatus()
			.value((status) -> assertThat(HttpStatusCode.valueOf(status).is2xxSuccessful()).isTrue());
		measured = measure();
	}

	@AfterAll
	static void stop() {
		if (sample != null) {
			sample.close();
		}
	}

	private static void call(String tool, Map<String, @Nullable Object> arguments) {
		ToolResult unused = sample.getBean(ToolExecutor.class)
			.execute(ToolCall.of(tool, arguments, CallContext.ofSession("s1")));
	}

	private static String get(String uri) {
		return Objects
			.requireNonNull(client.get().uri(uri).exchange().expectBody(String.class).returnResult().getResponseBody());
	}

	private static Map<String, Map<String, Set<String>>> measure() {
		Map<String, Map<String, Set<String>>> series = new HashMap<>();
		get("/actuator/prometheus").lines().filter((line) -> !line.startsWith("#")).forEach((line) -> {
			String name = line.replaceFirst("[{ ].*", "");
			Map<String, Set<String>> labels = series.computeIfAbsent(name, (absent) -> new HashMap<>());
			Matcher label = LABEL.matcher(line);
			while (label.find()) {
				labels.computeIfAbsent(label.group(1), (absent) -> new HashSet<>()).add(label.group(2));
			}
		});
		return series;
	}

	static List<Query> queries() throws IOException {
		List<Query> queries = new ArrayList<>();
		JsonNode dashboard = new JsonMapper().readTree(Files.readString(GRAFANA.resolve("agent-hooks.json")));
		dashboard.get("panels")
			.forEach((panel) -> panel.get("targets")
				.forEach((target) -> queries.add(new Query(panel.get("title").asString(), target.get("expr").asString(),
						target.get("legendFormat").asString()))));
		alerts().forEach((alert) -> queries.add(new Query(String.valueOf(alert.get("alert")),
				String.valueOf(alert.get("expr")), String.valueOf(alert.get("annotations")))));
		return queries;
	}

	private static List<Map<?, ?>> alerts() throws IOException {
		Map<?, ?> file = new Yaml().load(Files.readString(GRAFANA.resolve("alerts.yaml")));
		return ((List<?>) Objects.requireNonNull(file.get("groups"))).stream()
			.flatMap((group) -> ((List<?>) Objects.requireNonNull(((Map<?, ?>) group).get("rules"))).stream())
			.<Map<?, ?>>map((rule) -> (Map<?, ?>) rule)
			.toList();
	}

	@ParameterizedTest
	@MethodSource("queries")
	void everyMeterAndLabelOfAQueryIsMeasured(Query query) {
		Set<String> named = new TreeSet<>();
		Matcher selector = SELECTOR.matcher(query.expression());
		while (selector.find()) {
			String name = selector.group(1);
			named.add(name);
			assertThat(measured).containsKey(name);
			Matcher label = LABEL.matcher((selector.group(2) != null) ? selector.group(2) : "");
			while (label.find()) {
				Map<String, Set<String>> labels = Objects.requireNonNull(measured.get(name));
				assertThat(labels).containsKey(label.group(1));
				assertThat(labels.values().stream().flatMap(Set::stream)).contains(label.group(2));
			}
		}
		assertThat(named).isNotEmpty();
		for (String label : query.shownLabels()) {
			assertThat(named).allSatisfy((name) -> assertThat(measured.get(name)).containsKey(label));
		}
	}

	@Test
	void dashboardCanBeImported() throws IOException {
		JsonNode dashboard = new JsonMapper().readTree(Files.readString(GRAFANA.resolve("agent-hooks.json")));
		assertThat(dashboard.at("/__inputs/0/name").asString()).isEqualTo("DS_PROMETHEUS");
		assertThat(dashboard.get("uid").asString()).isEqualTo("agent-hooks");
		assertThat(dashboard.has("id")).isFalse();
		assertThat(dashboard.findValuesAsString("uid")).containsOnly("agent-hooks", "${DS_PROMETHEUS}");
		List<Integer> ids = dashboard.get("panels").valueStream().map((panel) -> panel.get("id").asInt()).toList();
		assertThat(ids).doesNotHaveDuplicates().hasSizeGreaterThan(10);
	}

	@Test
	void alertsAreThoseThatAreAskedFor() throws IOException {
		assertThat(alerts()).extracting((alert) -> String.valueOf(alert.get("alert")))
			.containsExactly("AgentHookFailedOpen", "AgentHookDown", "AgentHookNotificationsLost", "AgentAuditGap",
					"AgentHookThreadsHang", "AgentQuestionsExpired", "AgentToolDenialSpike");
	}

	@Test
	void healthOfTheSampleShowsTheHookThatIsDownAndNoSecret() {
		String health = get("/actuator/health/toolHooks");
		JsonNode json = new JsonMapper().readTree(health);
		assertThat(json.get("status").asString()).isEqualTo("UP");
		assertThat(json.at("/details/weak/state").asString()).isEqualTo("down");
		assertThat(json.at("/details/weak/denies_when_down").asBoolean()).isFalse();
		assertThat(json.at("/details/mail-approval/state").asString()).isEqualTo("unknown");
		assertThat(json.at("/details/audit/state").asString()).isEqualTo("up");
		assertThat(health).doesNotContain("hunter2", "127.0.0.1", "sudo");
	}

	/**
	 * What a panel or an alert asks.
	 *
	 * @param title the panel or the alert
	 * @param expression in PromQL
	 * @param legend what is shown of the labels
	 */
	record Query(String title, String expression, String legend) {

		Set<String> shownLabels() {
			Matcher legend = LEGEND.matcher(this.legend);
			Stream<String> shown = legend.results()
				.map((label) -> (label.group(1) != null) ? label.group(1) : label.group(2));
			Stream<String> grouped = BY.matcher(this.expression)
				.results()
				.flatMap((by) -> Arrays.stream(by.group(1).split("\\s*,\\s*", -1)));
			return Stream.concat(shown, grouped).collect(Collectors.toCollection(TreeSet::new));
		}

		@Override
		public String toString() {
			return this.title + ": " + this.expression;
		}

	}

}
