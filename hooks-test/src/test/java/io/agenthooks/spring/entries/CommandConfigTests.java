package io.agenthooks.spring.entries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the configuration of the type {@code command}, from YAML to the call.
 */
class CommandConfigTests {

	@TempDir
	private Path dir;

	@Test
	void everyOptionIsUnderstood() {
		try (ToolHooksTester hooks = preCall("""
				{command: "test -n \\"$LEVEL\\" && echo '{\\"decision\\": \\"block\\", \\"reason\\": \\"here\\"}'",
				 dir: "%s", env: {LEVEL: debug}, inherit_env: [SOME_TOKEN], timeout: 5, fail_open: false,
				 output_limit: 1KB, require_decision: true, merge: true, max_concurrent: 2}""".formatted(this.dir))) {
			assertThat(hooks.call("run_command", Map.of())).isDenied().byHook("command#0").withReasonContaining("here");
		}
	}

	@Test
	void listIsAProgramAndItsArgumentsThatNoShellReads() {
		try (ToolHooksTester hooks = preCall(
				"{command: [sh, -c, 'test \"$1\" = \"a b; exit 0\" && exit 2', sh, 'a b; exit 0']}")) {
			assertThat(hooks.call("run_command", Map.of())).isDenied();
		}
	}

	@Test
	void projectDirIsReplacedWhereNoShellDoesIt() {
		try (ToolHooksTester hooks = preCall(
				"{command: [sh, -c, 'test \"$1\" = \"$PWD/hooks\" && exit 2', sh, '$CLAUDE_PROJECT_DIR/hooks']}")) {
			assertThat(hooks.call("run_command", Map.of())).isDenied();
		}
		try (ToolHooksTester hooks = preCall("{command: 'test \"$PROJECT_DIR\" = \"$PWD\" && exit 2'}")) {
			assertThat(hooks.call("run_command", Map.of())).isDenied();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "for: cursor | hook_event_name | preToolUse", "for: gemini-cli | hook_event_name | BeforeTool",
					"for: kiro | hook_event_name | preToolUse", "order: 1 | hook_event_name | PreToolUse" })
	void messageIsThatOfTheSystemThatIsNamed(String option, String name, String value) {
		String program = "grep -q \"%s.:.%s.\" && exit 2".formatted(name, value);
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: command
				        %s
				        config: {command: '%s'}
				""".formatted(option, program))) {
			assertThat(hooks.call("read_file", Map.of())).isDenied();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"tool_call: {pre_call: [{type: command, for: emacs, config: {command: 'true'}}]} | is not one of",
			"tool_call: {pre_call: [{type: passthrough, for: cursor}]} | has no meaning for a hook of this type",
			"tool_call: {pre_call: [{type: command, for: cursor, config: {command: 'true', for: cursor}}]} "
					+ "| is written twice",
			"llm_call: {pre_call: [{type: command, for: cursor, config: {command: 'true'}}]} "
					+ "| has no messages about calls of models",
			"run: {pre_run: [{type: command, config: {command: 'true', for: hermes}}]} | has no messages about runs" })
	void mistakeInTheNameOfTheSystemStopsTheStart(String hooks, String mistake) {
		try (ToolHooksTester tester = ToolHooksTester.ofYaml("hooks: {" + hooks + "}")) {
			assertThatIllegalStateException().isThrownBy(tester::start).withMessageContaining(mistake);
		}
	}

	@Test
	void mistakesStopTheStart() throws Exception {
		Files.writeString(this.dir.resolve("not-executable"), "#!/bin/sh\n");
		for (String config : new String[] { "{}", "{command: []}", "{command: [no-such-program-anywhere]}",
				"{command: [./not-executable], dir: HERE}", "{command: no-such-program-anywhere --now}",
				"{command: ./not-executable, dir: HERE}", "{command: '\"$CLAUDE_PROJECT_DIR\"/nowhere.sh', dir: HERE}",
				"{command: [7]}", "{command: 'true', dir: /nonexistent}", "{command: 'true', timeout: 0s}",
				"{command: 'true', timeout: 11m}", "{command: 'true', output_limit: 0B}",
				"{command: 'true', max_concurrent: 0}", "{command: 'true', inherit_env: ['*']}",
				"{command: 'true', env: {'[A=B]': x}}", "{command: 'true', shell: bash}" }) {
			try (ToolHooksTester hooks = preCall(config.replace("HERE", this.dir.toString()))) {
				assertThatIllegalStateException().as(config)
					.isThrownBy(hooks::start)
					.withMessageStartingWith("The configuration of the hooks has ")
					.withMessageContaining("pre_call[0].config");
			}
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					{command: 'true', dir: hookz}               | The dir does not exist.               | where the application runs
					{command: 'true', dir: HERE/crlf.sh}        | The dir is a file, not a directory.   | Write the path of
					{command: [./plain.sh], dir: HERE}          | a file that is not executable         | chmod +x
					{command: './plain.sh --now', dir: HERE}    | a file that is not executable         | chmod +x
					{command: [./nothing.sh], dir: HERE}        | a program that does not exist         | seen from the 'dir'
					{command: nothing/here.sh}                  | a program that does not exist         | where the application runs
					{command: [/nothing/here.sh]}               | a program that does not exist         | Check its path.
					{command: [no-such-program]}                | a program that does not exist         | unless 'env' sets one
					{command: [HERE]}                           | a directory, not a program            | the path of the program
					{command: [~/check.sh]}                     | begins with '~'                       | Write the whole path
					{command: [cat file]}                       | one word that has spaces in it        | a word for each argument
					{command: [./crlf.sh], dir: HERE}           | a script with Windows line ends       | the line ends of Unix
					{command: ./crlf.sh x, dir: HERE}           | a script with Windows line ends       | the line ends of Unix
					{command: [./interpreter.py], dir: HERE}    | whose first line (#!) names a program | Correct that line
					{command: [./env.py], dir: HERE}            | whose first line (#!) names a program | Correct that line
					{command: 'python3 ${CLAUDE_PROJECT_DIR}'}  | cannot be resolved                    | write $CLAUDE_PROJECT_DIR.
					{command: [sh, '${PROJECT_DIR}/x']}         | cannot be resolved                    | write $PROJECT_DIR.
					{command: 'true', timeout: 60000}           | not above 0 and at most 600 seconds   | without a unit means seconds
					""")
	void mistakeIsToldWithTheFix(String config, String mistake, String fix) throws Exception {
		Files.writeString(this.dir.resolve("plain.sh"), "#!/bin/sh\n");
		script("crlf.sh", "#!/bin/sh\r\nexit 0\r\n");
		script("interpreter.py", "#!/no/such/python\n");
		script("env.py", "#!/usr/bin/env no-such-python\n");
		try (ToolHooksTester hooks = preCall(config.replace("HERE", this.dir.toString()))) {
			assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageContaining("YAML text:5:")
				.withMessageContaining(mistake)
				.withMessageContaining(fix);
		}
	}

	@Test
	void scriptsOfAllKindsStart() throws Exception {
		script("bare.sh", "exit 2\n");
		script("env.sh", "#! /usr/bin/env -S sh -e\nexit 2\n");
		script("empty.sh", "#!\nexit 2\n");
		for (String name : new String[] { "bare.sh", "env.sh", "empty.sh" }) {
			try (ToolHooksTester hooks = preCall("{command: [./%s], dir: %s}".formatted(name, this.dir))) {
				assertThat(hooks.call("run_command", Map.of())).as(name).isDenied();
			}
		}
	}

	private void script(String name, String text) throws IOException {
		Path file = Files.writeString(this.dir.resolve(name), text);
		assertThat(file.toFile().setExecutable(true)).isTrue();
	}

	@Test
	void postCallEntryRunsAfterTheCall() {
		try (ToolHooksTester hooks = ToolHooksTester
			.ofYaml("""
					hooks:
					  tool_call:
					    post_call:
					      - type: command
					        timeout: 10s
					        config: {command: "grep -q '\\"tool_response\\":\\"' && echo '{\\"additionalContext\\": \\"noted\\"}'"}
					""")) {
			assertThat(hooks.call("run_command", Map.of())).isApproved().hasSucceeded();
			assertThat(hooks.call("run_command", Map.of()).result()).isNotNull()
				.satisfies((result) -> assertThat(result.additionalContext()).isEqualTo("noted"));
		}
	}

	@Test
	void durationIsThatOfTheCall() throws Exception {
		Path seen = this.dir.resolve("seen");
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    post_call:
				      - type: command
				        config: {command: "cat > %s"}
				""".formatted(seen)).withBean("slow", (PreToolHook) (call) -> {
			long end = System.nanoTime() + 30_000_000;
			while (System.nanoTime() < end) {
				Thread.onSpinWait();
			}
			return ToolDecision.approve();
		})) {
			hooks.call("run_command", Map.of());
		}
		assertThat(JsonMapper.shared().readTree(Files.readAllBytes(seen)).get("duration_ms").asDouble()).isBetween(30.0,
				20_000.0);
	}

	@Test
	void optionForArgumentsStopsTheStartWhereThereAreNone() {
		for (String list : new String[] { "llm_call: {pre_call", "llm_call: {post_call", "run: {pre_run",
				"run: {post_run" }) {
			try (ToolHooksTester hooks = ToolHooksTester
				.ofYaml("hooks: {%s: [{type: command, config: {command: 'true', merge: true}}]}}".formatted(list))) {
				assertThatIllegalStateException().as(list)
					.isThrownBy(hooks::start)
					.withMessageContaining("The merge is for tool calls");
			}
		}
	}

	@Test
	void optionForDecisionsStopsTheStartWhereNothingIsDecided() {
		for (String option : new String[] { "fail_open", "require_decision" }) {
			try (ToolHooksTester hooks = ToolHooksTester
				.ofYaml("hooks: {run: {post_run: [{type: command, config: {command: 'true', %s: false}}]}}"
					.formatted(option))) {
				assertThatIllegalStateException().as(option)
					.isThrownBy(hooks::start)
					.withMessageContaining("post_run[0].config." + option)
					.withMessageContaining("decides nothing when a run is over");
			}
		}
	}

	private static ToolHooksTester preCall(String config) {
		return ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: command
				        config: %s
				""".formatted(config.replace("\n", " ")));
	}

}
