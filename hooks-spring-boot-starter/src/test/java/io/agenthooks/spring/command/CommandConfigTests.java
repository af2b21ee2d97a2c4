package io.agenthooks.spring.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.agenthooks.test.ToolHooksTester;

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
