package io.agenthooks.spring.external;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A word in the answer of a decider that nobody knows: the call does not pass, and the
 * log says which word, of which entry, where that is written.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class UnknownWordTests {

	@TempDir
	private Path dir;

	private static ToolHooksTester command(String reply) {
		return ToolHooksTester
			.ofYaml("""
					hooks:
					  tool_call:
					    pre_call:
					      - type: command
					        name: gate
					        config: {command: "cat >/dev/null; printf %%s \\"$REPLY\\"", env: {REPLY: '%s'}, fail_open: true}
					"""
				.formatted(reply));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "{\"decision\":\"allow\",\"veto\":true}|veto", "{\"decision\":\"perhaps\"}|perhaps",
					"{\"decision\":\"allow\",\"needs_review\":true}|needs_review",
					"{\"decision\":\"allow\",\"UpdatedInput\":{}}|UpdatedInput" })
	void wordOfACommandIsNamed(String reply, String word, CapturedOutput output) {
		try (ToolHooksTester hooks = command(reply)) {
			assertThat(hooks.call("work", Map.of("text", "a"))).isDenied();
			assertThat(line(output)).contains("Hook 'gate' (YAML text:4:", "'" + word + "'", "does not pass");
		}
	}

	/**
	 * Not even if it comes back as a name, and no longer than a name.
	 */
	@Test
	void whatTheAgentWroteIsNotNamed(CapturedOutput output) {
		try (ToolHooksTester hooks = command("{\"decision\":\"allow\",\"sEcReT\":true}")) {
			assertThat(hooks.call("work", Map.of("text", "my sEcReT key"))).isDenied();
			assertThat(line(output)).contains("it stands in the call, too").doesNotContain("sEcReT");
		}
		try (ToolHooksTester hooks = command("{\"decision\":\"allow\",\"" + "x".repeat(5_000) + "\":true}")) {
			assertThat(hooks.call("work", Map.of())).isDenied();
			assertThat(output.getAll()).contains("xxxx").doesNotContain("x".repeat(100));
		}
	}

	@Test
	void wordOfAProcessIsNamed(CapturedOutput output) throws IOException {
		Path program = Files.writeString(this.dir.resolve("gate.py"),
				"""
						import json, sys
						for line in sys.stdin:
						    question = json.loads(line)
						    print(json.dumps({"jsonrpc": "2.0", "id": question.get("id"), "result": {"action": "perhaps"}}), flush=True)
						""");
		try (ToolHooksTester hooks = ToolHooksTester
			.ofYaml("""
					hooks:
					  tool_call:
					    pre_call:
					      - type: process
					        name: gate
					        config: {command: [python3, '%s'], intercept: [before_tool], hello_timeout: 20s, fail_open: true}
					"""
				.formatted(program))) {
			assertThat(hooks.call("work", Map.of())).isDenied();
			assertThat(line(output)).contains("Hook 'gate' (YAML text:4:", "'perhaps'");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "{\"verdict\":\"perhaps\"}||perhaps",
					"{\"verdict\":\"approve\",\"requireApproval\":true}||requireApproval",
					"{\"decision\":\"allow\",\"veto\":true}|for: claude_code|veto" })
	void wordOfAWebhookIsNamed(String answer, String option, String word, CapturedOutput output) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			exchange.getRequestBody().readAllBytes();
			byte[] body = answer.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().add("Content-Type", "application/json");
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		server.start();
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: webhook
				        name: gate
				        %s
				        config: {url: 'http://localhost:%d/', notify: false, fail_open: true}
				""".formatted((option != null) ? option : "", server.getAddress().getPort()))) {
			assertThat(hooks.call("work", Map.of())).isDenied();
			assertThat(line(output)).contains("Hook 'gate' (YAML text:4:", "'" + word + "'");
		}
		finally {
			server.stop(0);
		}
	}

	private static String line(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains("Hook 'gate'")).findFirst().orElse("none");
	}

}
