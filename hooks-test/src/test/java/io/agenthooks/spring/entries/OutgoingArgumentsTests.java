package io.agenthooks.spring.entries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for what entries of the configuration send out of the application: with
 * {@code redact} under {@code pre_call}, and with {@code send} and {@code mask}.
 */
class OutgoingArgumentsTests {

	private static final Map<String, Object> LOGIN = Map.of("user", "bob", "password", "hunter2hunter2", "db",
			Map.of("apiKey", "hunter2hunter2"));

	private static final String APPROVE = "{\"verdict\": \"approve\"}";

	@TempDir
	private Path dir;

	@Test
	void webhookBehindRedactGetsMasksBeforeAndAfterTheCall() {
		try (Endpoint endpoint = new Endpoint(APPROVE); ToolHooksTester hooks = hooks("""
				      - type: redact
				      - type: webhook
				        config: {url: "%s", fail_open: false}
				""".formatted(endpoint.url()))) {
			assertThat(hooks.call("login", LOGIN)).isApproved();
			assertThat(hooks.executor().calls()).singleElement()
				.satisfies((call) -> assertThat(call.arguments()).isEqualTo(LOGIN));
			List<String> received = endpoint.received(2);
			assertThat(received).allSatisfy((body) -> assertThat(body).doesNotContain("hunter2")
				.contains("\"password\":\"[redacted:password]\"", "\"apiKey\":\"[redacted:password]\"", "bob"));
		}
	}

	@Test
	void webhookMayChangeAMaskedCall() {
		try (Endpoint endpoint = new Endpoint("""
				{"verdict": "modify", "modified_arguments": {"user": "eve", "password": "[redacted:password]",
				 "db": {"apiKey": "[redacted:password]", "ro": true}}}"""); ToolHooksTester hooks = hooks("""
				      - type: redact
				      - type: webhook
				        config: {url: "%s", fail_open: false, notify: false}
				""".formatted(endpoint.url()))) {
			assertThat(hooks.call("login", LOGIN)).hasSucceeded();
			assertThat(hooks.executor().calls()).singleElement()
				.satisfies((call) -> assertThat(call.arguments()).isEqualTo(Map.of("user", "eve", "password",
						"hunter2hunter2", "db", Map.of("apiKey", "hunter2hunter2", "ro", true))));
		}
	}

	@Test
	void maskThatAWebhookMovesDenies() {
		try (Endpoint endpoint = new Endpoint("""
				{"verdict": "modify", "modified_arguments": {"user": "[redacted:password]"}}""");
				ToolHooksTester hooks = hooks("""
						      - type: redact
						      - type: webhook
						        config: {url: "%s", fail_open: true, notify: false}
						""".formatted(endpoint.url()))) {
			assertThat(hooks.call("login", LOGIN)).isDenied().withReasonContaining("'user' holds a mask");
			assertThat(hooks.executor()).hasRunNothing();
		}
	}

	@Test
	void policyAndEventsOfTheApplication() {
		try (ToolHooksTester hooks = hooks("""
				      - type: redact
				      - type: policy
				        config: {deny_argument_patterns: {password: ["hunter"]}}
				""")) {
			assertThat(hooks.call("login", LOGIN)).isDenied();
			assertThat(hooks.call("login", LOGIN).events()).isNotEmpty()
				.allSatisfy((event) -> assertThat(event.call().arguments().toString()).doesNotContain("hunter2"));
		}
	}

	@Test
	void commandBehindRedactGetsMasks() throws IOException {
		Path file = this.dir.resolve("heard");
		try (ToolHooksTester hooks = hooks("""
				      - type: redact
				      - type: command
				        config: {command: "cat >> '%s'"}
				    post_call:
				      - type: command
				        config: {command: "cat >> '%s'"}
				""".formatted(file, file))) {
			assertThat(hooks.call("login", LOGIN)).isApproved();
		}
		assertThat(Files.readString(file)).contains("PreToolUse", "PostToolUse", "[redacted:password]")
			.doesNotContain("hunter2");
	}

	@Test
	void commandMayChangeAMaskedCall() {
		try (ToolHooksTester hooks = hooks(
				"""
						      - type: redact
						      - type: command
						        config:
						          command: |
						            echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"user": "eve"}}}'
						          merge: true
						""")) {
			assertThat(hooks.call("login", LOGIN)).hasSucceeded();
			assertThat(hooks.executor().calls()).singleElement()
				.satisfies((call) -> assertThat(call.arguments()).isEqualTo(
						Map.of("user", "eve", "password", "hunter2hunter2", "db", Map.of("apiKey", "hunter2hunter2"))));
		}
	}

	@Test
	void judgeBehindRedactGetsMasks() {
		try (JudgeServer server = JudgeServer.saying("{\"decision\": \"allow\"}"); ToolHooksTester hooks = hooks("""
				      - type: redact
				      - type: prompt
				        config: {prompt: 'Is this fine? $INPUT'}
				""").withBean("judgingModel", server.model())) {
			assertThat(hooks.call("login", LOGIN)).isApproved();
			assertThat(server.raw()).contains("[redacted:password]").doesNotContain("hunter2");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					send: [user]                       | {"user":"bob"}
					send: [user, password]             | {"user":"bob","password":"hunter2hunter2"}
					send: []                           | {}
					mask: [PASSWORD, db]               | {"user":"bob","password":"[redacted:argument]","db":"[redacted:argument]"}
					mask: [pass_word, d-b]             | {"user":"bob","password":"[redacted:argument]","db":"[redacted:argument]"}
					send: [user, db], mask: [db]       | {"user":"bob","db":"[redacted:argument]"}
					""")
	void entrySaysWhichArgumentsAreSent(String options, String sent) {
		try (Endpoint endpoint = new Endpoint(APPROVE); ToolHooksTester hooks = hooks("""
				      - {type: webhook, %s, config: {url: "%s", fail_open: false}}
				""".formatted(options, endpoint.url()))) {
			assertThat(hooks.call("login", LOGIN)).isApproved();
			JsonNode expected = new JsonMapper().readTree(sent);
			assertThat(endpoint.received(2))
				.allSatisfy((body) -> assertThat(new JsonMapper().readTree(body).get("arguments")).isEqualTo(expected));
			assertThat(hooks.executor().calls()).singleElement()
				.satisfies((call) -> assertThat(call.arguments()).isEqualTo(LOGIN));
		}
	}

	@Test
	void argumentThatWasNotSentStaysInAChangedCall() {
		try (Endpoint endpoint = new Endpoint("""
				{"verdict": "modify", "modified_arguments": {"user": "eve"}}"""); ToolHooksTester hooks = hooks("""
				      - {type: webhook, send: [user], config: {url: "%s", fail_open: false, notify: false}}
				""".formatted(endpoint.url()))) {
			assertThat(hooks.call("login", Map.of("user", "bob", "path", "a"))).hasSucceeded();
			assertThat(hooks.executor().calls()).singleElement()
				.satisfies((call) -> assertThat(call.arguments()).isEqualTo(Map.of("user", "eve", "path", "a")));
		}
	}

	@Test
	void argumentThatWasNotSentCannotBeChanged() {
		try (Endpoint endpoint = new Endpoint("""
				{"verdict": "modify", "modified_arguments": {"user": "eve", "path": "b"}}""");
				ToolHooksTester hooks = hooks("""
						      - {type: webhook, send: [user], config: {url: "%s", fail_open: true, notify: false}}
						""".formatted(endpoint.url()))) {
			assertThat(hooks.call("login", Map.of("user", "bob", "path", "a"))).isDenied()
				.withReasonContaining("'path' was not sent");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "type: policy, send: [a], config: {deny_tools: [x]}", "type: redact, mask: [a]",
			"type: passthrough, send: [a]", "type: respond, mask: [a], config: {content: x}" })
	void hooksThatSendNothingHaveNoSuchOption(String entry) {
		assertMistake("      - {%s}\n".formatted(entry), "sends nothing out of the application");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			send: [a], mask: [b]   | masks an argument that 'send' does not send
			mask: []               | is empty, so nothing would be masked
			mask: ["*"]            | has a name with a star, which no argument has
			mask: [user, "pass*"]  | has a name with a star, which no argument has
			send: ["*"]            | has a name with a star, which no argument has
			mask: [' ']            | has a name without letters
			""")
	void mistakesStopTheStart(String options, String message) {
		assertMistake("      - {type: webhook, %s, config: {url: 'http://localhost:1'}}\n".formatted(options), message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "llm_call:\n    pre_call", "llm_call:\n    post_call", "run:\n    pre_run" })
	void modelCallsAndRunsHaveNoSuchOption(String list) {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  %s:
				      - {type: webhook, send: [a], config: {url: 'http://localhost:1'}}
				""".formatted(list))) {
			assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageContaining("where no arguments are sent");
		}
	}

	@Test
	void processGetsWhatItsEntrySays() throws IOException {
		Path file = this.dir.resolve("heard");
		Path program = Files.writeString(this.dir.resolve("gate.py"),
				"""
						import json, sys
						for line in sys.stdin:
						    open(sys.argv[1], "a").write(line)
						    asked = json.loads(line)
						    if "id" in asked:
						        answer = {"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "continue", "approved": True}}
						        print(json.dumps(answer), flush=True)
						""");
		try (ToolHooksTester hooks = hooks("""
				      - type: process
				        mask: [password, DB]
				        config:
				          command: [python3, "%s", "%s"]
				          intercept: [before_tool, approve_tool, after_tool]
				          observe: [tool_exec_start, tool_exec_end]
				          hello_timeout: 20s
				          timeout: 20s
				""".formatted(program, file))) {
			assertThat(hooks.call("login", LOGIN)).isApproved();
		}
		assertThat(Files.readString(file))
			.contains("hook.before_tool", "hook.approve_tool", "hook.after_tool", "tool_exec_start",
					"[redacted:argument]")
			.doesNotContain("hunter2");
	}

	@Test
	void webhookThatWasNotAskedHearsOfTheEndWithoutArguments() {
		assertThat(argumentsOfADenial("")).isEmpty();
	}

	@Test
	void webhookThatWasNotAskedGetsArgumentsIfItIsToldTo() {
		assertThat(argumentsOfADenial(", notify_unasked_arguments: true")).hasSize(3);
	}

	private static JsonNode argumentsOfADenial(String option) {
		try (Endpoint endpoint = new Endpoint(APPROVE); ToolHooksTester hooks = hooks("""
				      - {type: policy, config: {deny_tools: [login]}}
				      - {type: webhook, config: {url: "%s", fail_open: false%s}}
				""".formatted(endpoint.url(), option))) {
			assertThat(hooks.call("login", LOGIN)).isDenied();
			JsonNode message = new JsonMapper().readTree(endpoint.received(1).get(0));
			assertThat(message.get("status").asString()).isEqualTo("denied");
			return message.get("arguments");
		}
	}

	@Test
	void optionForUnaskedCallsStopsTheStartWithoutNotifications() {
		assertMistake("      - {type: webhook, config: {url: 'http://localhost:1', notify: false, "
				+ "notify_unasked_arguments: true}}\n", "has no meaning with 'notify: false'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "tool_call:\n    post_call", "llm_call:\n    pre_call", "run:\n    pre_run" })
	void optionForUnaskedCallsStopsTheStartElsewhere(String list) {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  %s:
				      - {type: webhook, config: {url: 'http://localhost:1', notify_unasked_arguments: true}}
				""".formatted(list))) {
			assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageContaining("has a meaning only under");
		}
	}

	private static void assertMistake(String entry, String message) {
		try (ToolHooksTester hooks = hooks(entry)) {
			assertThatIllegalStateException().isThrownBy(hooks::start).withMessageContaining(message);
		}
	}

	private static ToolHooksTester hooks(String entries) {
		return ToolHooksTester.ofYaml("hooks:\n  tool_call:\n    pre_call:\n" + entries);
	}

	/**
	 * An endpoint that answers always the same.
	 */
	private static final class Endpoint implements AutoCloseable {

		private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

		private final HttpServer server;

		private final byte[] answer;

		Endpoint(String answer) {
			this.answer = answer.getBytes(StandardCharsets.UTF_8);
			try {
				this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			this.server.createContext("/", this::answer);
			this.server.start();
		}

		private void answer(HttpExchange exchange) throws IOException {
			this.received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
			exchange.getResponseHeaders().add("Content-Type", "application/json");
			exchange.sendResponseHeaders(200, this.answer.length);
			exchange.getResponseBody().write(this.answer);
			exchange.close();
		}

		String url() {
			return "http://localhost:" + this.server.getAddress().getPort() + "/";
		}

		List<String> received(int count) {
			try {
				List<String> received = new ArrayList<>();
				while (received.size() < count) {
					received.add(Objects.requireNonNull(this.received.poll(30, TimeUnit.SECONDS), "Nothing came"));
				}
				return received;
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public void close() {
			this.server.stop(0);
		}

	}

}
