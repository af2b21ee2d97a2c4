package io.agenthooks.spring.entries;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@code prove}: a call that a hook must deny at the start. // B09, B15, B19
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class ProvedEntriesTests {

	private static final String PROOF = "{tool: Bash, arguments: {command: rm -rf sEcReT}}";

	private static final String GATE = "grep -q \"rm -rf\" && { echo Never >&2; exit 2; }; exit 0";

	@TempDir
	private Path dir;

	private static ToolHooksTester command(String line, String options) {
		return ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: command
				        name: gate
				        %s
				        config: {command: '%s'}
				""".formatted(options, line));
	}

	private static ToolHooksTester proving(String line, String proof) {
		return command(line, "prove: " + proof);
	}

	@Test
	void commandThatDeniesLetsTheApplicationStart(CapturedOutput output) {
		try (ToolHooksTester hooks = proving(GATE, PROOF)) {
			hooks.start();
			assertThat(hooks.call("Bash", Map.of("command", "ls"))).isApproved();
			assertThat(output).contains("proved by making them: gate").doesNotContain("sEcReT");
		}
	}

	@Test
	void everyCallOfAListIsMade() {
		try (ToolHooksTester hooks = proving(GATE, "[" + PROOF + ", {tool: Bash, arguments: {command: rm -rf a}}]")) {
			hooks.start();
		}
		try (ToolHooksTester hooks = proving(GATE, "[" + PROOF + ", {tool: Bash, arguments: {command: ls}}]")) {
			assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageContaining("pre_call[0].prove[1]")
				.withMessageContaining("did not object");
		}
	}

	/**
	 * A script without an entry point, one that fails in any way, one that does anything
	 * else than denying.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "true | it did not object", "exit 1 | it failed: The command ended with exit",
					"echo boom | it failed: The output of the command",
					"sleep 600 | it failed: The command did not end in time",
					"echo \"{\\\"decision\\\":\\\"ask\\\"}\" | it asks a person",
					"echo \"{\\\"updatedInput\\\":{\\\"command\\\":\\\"ls\\\"}}\" | it changed the call" })
	void commandThatDoesNotDenyStopsTheStart(String line, String instead, CapturedOutput output) {
		try (ToolHooksTester hooks = command(line, "timeout: 2s\n        prove: " + PROOF)) {
			assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageContaining("YAML text:7:")
				.withMessageContaining("The hook 'gate' (YAML text:4:")
				.withMessageContaining("must deny this call of the tool 'Bash' at the start, but " + instead)
				.withMessageNotContaining("sEcReT");
			assertThat(output).doesNotContain("sEcReT");
		}
	}

	@Test
	void failureIsNoDenialAlsoIfItPasses() {
		try (ToolHooksTester hooks = command("exit 1", "fail_open: true\n        prove: " + PROOF)) {
			assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageContaining("it failed, and lets calls pass when it fails: The command ended");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "matcher: curl|wget|nc", "match: [Shell]", "except: [Bash]", "mcp_servers: [github]" })
	void hookThatIsNotAskedAboutTheToolStopsTheStart(String scope) {
		try (ToolHooksTester hooks = command(GATE, scope + "\n        prove: " + PROOF)) {
			assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageContaining("it is not asked about this tool");
		}
	}

	@Test
	void toolOfAnMcpServerIsWrittenAsInClaudeCode() {
		try (ToolHooksTester hooks = command("grep -q mcp__github__delete_repo && exit 2",
				"mcp_servers: [github]\n        prove: {tool: mcp__github__delete_repo}")) {
			hooks.start();
		}
	}

	@Test
	void argumentsHaveTheTypesThatYamlHas() {
		String line = "python3 -c \"import json, sys; a = json.load(sys.stdin)[\\\"tool_input\\\"]; "
				+ "sys.exit(2 if a == {\\\"n\\\": 7, \\\"b\\\": True, \\\"f\\\": 1.5, \\\"l\\\": [1, \\\"x\\\"], "
				+ "\\\"m\\\": {\\\"k_k\\\": \\\"\\\"}, \\\"a.b\\\": \\\"7\\\"} else 0)\"";
		try (ToolHooksTester hooks = proving(line,
				"{tool: t, arguments: {n: 7, b: true, f: 1.5, l: [1, x], m: {k_k: ''}, '[a.b]': '7'}}")) {
			hooks.start();
		}
	}

	@Test
	void hookSeesOnlyWhatItIsSent() {
		try (ToolHooksTester hooks = command(GATE, "mask: [command]\n        prove: " + PROOF)) {
			assertThatIllegalStateException().isThrownBy(hooks::start).withMessageContaining("it did not object");
		}
	}

	@Test
	void processIsProved() throws IOException {
		Path program = Files.writeString(this.dir.resolve("gate.py"), """
				import json, sys
				for line in sys.stdin:
				    question = json.loads(line)
				    if "id" in question:
				        tool = question["params"].get("tool")
				        result = {"action": "deny_tool", "reason": "no"} if tool == "Bash" else {"action": "continue"}
				        print(json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": result}), flush=True)
				""");
		String yaml = """
				hooks:
				  tool_call:
				    pre_call:
				      - type: process
				        prove: {tool: %s}
				        config: {command: [python3, '%s'], intercept: [before_tool], hello_timeout: 20s, timeout: 20s}
				""";
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml.formatted("Bash", program))) {
			hooks.start();
		}
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml.formatted("Read", program))) {
			assertThatIllegalStateException().isThrownBy(hooks::start).withMessageContaining("it did not object");
		}
	}

	@Test
	void webhookIsProved() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			boolean denied = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
				.contains("rm -rf");
			byte[] body = ((denied) ? "{\"verdict\":\"deny\"}" : "{\"verdict\":\"approve\"}")
				.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().add("Content-Type", "application/json");
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		server.start();
		String url = "http://localhost:" + server.getAddress().getPort();
		String yaml = """
				hooks:
				  tool_call:
				    pre_call:
				      - type: webhook
				        prove: {tool: Bash, arguments: {command: %s}}
				        config: {url: '%s', fail_open: true}
				""";
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml.formatted("rm -rf a", url))) {
			hooks.start();
		}
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml.formatted("ls", url))) {
			assertThatIllegalStateException().isThrownBy(hooks::start).withMessageContaining("it did not object");
		}
		server.stop(0);
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml.formatted("rm -rf a", url))) {
			assertThatIllegalStateException().isThrownBy(hooks::start).withMessageContaining("it failed");
		}
	}

	@ParameterizedTest
	@CsvSource({ "deny, true", "allow, false" })
	void judgeIsProved(String decision, boolean starts) {
		String yaml = """
				hooks:
				  tool_call:
				    pre_call:
				      - type: prompt
				        prove: {tool: Bash, arguments: {command: rm -rf a}}
				        config: {prompt: 'Is this fine? $INPUT'}
				""";
		try (JudgeServer server = JudgeServer.saying("{\"decision\": \"" + decision + "\", \"reason\": \"because\"}");
				ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml).withBean("judgingModel", server.model())) {
			if (starts) {
				hooks.start();
			}
			else {
				assertThatIllegalStateException().isThrownBy(hooks::start).withMessageContaining("it did not object");
			}
		}
	}

	@Test
	void proofIsNoCallOfTheAgent() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		try (ToolHooksTester hooks = proving(GATE, PROOF).withBean(meters)) {
			hooks.start();
			assertThat(meters.find("hooks.tool.call").timers()).isEmpty();
			assertThat(meters.find("hooks.hook").timers()).isEmpty();
			assertThat(hooks.executor()).hasRunNothing();
			hooks.call("Bash", Map.of("command", "rm -rf a"));
			assertThat(meters.find("hooks.tool.call").timers()).hasSize(1);
			assertThat(meters.find("hooks.hook").tag("hook", "gate").timers()).hasSize(1);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "'' | is empty", "Bash | is a single value", "{arguments: {a: 1}} | does not name the tool",
					"{tool: Bash, args: {a: 1}} | is not an option here",
					"{tool: Bash, arguments: ls} | is not a map of arguments",
					"{tool: Bash, arguments: [ls]} | is not a map of arguments", "[Bash] | is a single value",
					"{tool: 7} | does not name the tool" })
	void mistakesStopTheStart(String proof, String mistake) {
		try (ToolHooksTester hooks = proving(GATE, (proof.isEmpty()) ? "''" : proof)) {
			assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageContaining("YAML text:6:")
				.withMessageContaining("prove")
				.withMessageContaining(mistake);
		}
	}

	@Test
	void proofStandsWhereCallsAreDecided() {
		for (String list : List.of("tool_call: {post_call: ", "llm_call: {pre_call: ", "run: {pre_run: ")) {
			try (ToolHooksTester hooks = ToolHooksTester
				.ofYaml("hooks: {" + list + "[{type: command, prove: {tool: a}, config: {command: 'true'}}]}}")) {
				assertThatIllegalStateException().as(list)
					.isThrownBy(hooks::start)
					.withMessageContaining("has no meaning for a hook that does not decide about calls of tools");
			}
		}
	}

}
