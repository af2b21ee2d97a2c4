package io.agenthooks.spring.entries;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the configuration of the type {@code process}, from YAML to the call.
 */
class ProcessConfigTests {

	private static final String GATE = Path.of("../types/hooks-programs/src/test/resources/programs/gate.py")
		.toAbsolutePath()
		.toString();

	@Test
	void everyOptionIsUnderstood() {
		try (ToolHooksTester hooks = tester("pre_call", """
				{command: [python3, GATE], dir: /tmp, env: {A: b}, inherit_env: [C], observe: [agent.tool.exec_end],
				 intercept: [before_tool, approve_tool, after_tool], timeout: 10, hello_timeout: 20s,
				 approval_timeout: 20s, observer_timeout: 500ms, fail_open: false, max_line: 1MB,
				 restart: {attempts: 3, delay: 100ms, max_delay: 5s}}""")) {
			assertThat(hooks.call("t", Map.of("do", "deny_tool"))).isDenied()
				.byHook("process#0")
				.withReasonContaining("because");
			assertThat(hooks.call("t", Map.of("do", "modify"))).hasSucceeded();
			assertHealth(hooks, Status.UP, "process=running");
		}
	}

	private static void assertHealth(ToolHooksTester hooks, Status status, String detail) {
		Health health = Objects.requireNonNull(hooks.getBean(HealthIndicator.class).health());
		assertThat(health.getStatus()).isEqualTo(status);
		assertThat(health.getDetails().get("process#0")).asString().contains(detail);
	}

	@Test
	void processIsAskedWhereTheHookStandsIfNothingElseIsSaid() {
		try (ToolHooksTester hooks = tester("pre_call",
				"{command: [python3, GATE], timeout: 20s, hello_timeout: 20s}")) {
			assertThat(hooks.call("t", Map.of("do", "deny_tool"))).isDenied();
		}
		try (ToolHooksTester hooks = tester("post_call", "{command: [python3, GATE], hello_timeout: 20s}")) {
			assertThat(hooks.call("t", Map.of("do", "deny_tool"))).isApproved().hasSucceeded();
		}
	}

	@Test
	void hookThatIsAskedAboutResultsMayStandAfterTheCall() {
		try (ToolHooksTester hooks = tester("post_call",
				"{command: [python3, GATE], intercept: [after_tool], hello_timeout: 20s}")) {
			assertThat(hooks.call("t", Map.of())).isApproved().hasSucceeded();
		}
	}

	@Test // J09
	void healthIsDownWhenTheProcessStaysDown() {
		try (ToolHooksTester hooks = tester("pre_call",
				"{command: [python3, GATE], intercept: [before_tool], hello_timeout: 20s, restart: {attempts: 0}}")) {
			assertThat(hooks.call("t", Map.of("do", "exit"))).isDenied().withReasonContaining("The process ended");
			assertHealth(hooks, Status.DOWN, "process=given_up");
			assertThat(hooks.call("t", Map.of())).isDenied().withReasonContaining("The process is down");
		}
	}

	@Test
	void mistakesStopTheStart() {
		for (String config : new String[] { "{intercept: [before_tool]}", "{command: [python3, GATE], observe: []}",
				"{command: [python3, GATE], intercept: [before_llm]}",
				"{command: [python3, GATE], observe: [turn_start]}",
				"{command: [no-such-program-anywhere], intercept: [before_tool]}",
				"{command: ['false'], intercept: [before_tool]}",
				"{command: [python3, GATE], intercept: [before_tool], timeout: 0}",
				"{command: [python3, GATE], intercept: [before_tool], max_line: 1GB}",
				"{command: [python3, GATE], intercept: [before_tool], restart: {attempts: -1}}" }) {
			assertStopped("pre_call", config);
		}
		assertStopped("post_call", "{command: [python3, GATE], intercept: [before_tool]}");
		assertStopped("post_call", "{command: [python3, GATE], intercept: [after_tool], observe: ['*']}");
	}

	@Test
	void nameThatIsNoPointOrEventIsToldByItsPlace() {
		assertStopped("tool_call.pre_call", "{command: [python3, GATE], intercept: [before_tool, before-tool]}",
				"config.intercept[1]': This point is unknown here.");
		assertStopped("tool_call.pre_call", "{command: [python3, GATE], observe: [tool_exec_finish]}",
				"config.observe[0]': This event is unknown here.");
	}

	@Test
	void programThatDoesNotGreetIsToldWithALineToTryItWith() {
		assertStopped("tool_call.pre_call", "{command: ['false'], intercept: [before_tool]}",
				"The process ended when it was greeted with hook.hello.", "\"method\": \"hook.hello\"",
				"flush that line");
	}

	@Test
	void pointsAndEventsThatBelongToAnotherListAreSentThere() {
		assertStopped("tool_call.pre_call", "{command: [python3, GATE], intercept: [before_llm]}",
				"Move 'before_llm' to an entry of hooks.llm_call.");
		assertStopped("tool_call.pre_call", "{command: [python3, GATE], observe: [turn_start]}",
				"Move 'turn_start' to an entry of hooks.run.");
		assertStopped("tool_call.pre_call", "{command: [python3, GATE], observe: [agent.llm.response]}",
				"Move 'agent.llm.response' to an entry of hooks.llm_call.");
		assertStopped("llm_call.pre_call", "{command: [python3, GATE], intercept: [before_llm, approve_tool]}",
				"Move 'approve_tool' to an entry of hooks.tool_call. The points here are before_llm, after_llm.");
		assertStopped("llm_call.pre_call", "{command: [python3, GATE], observe: [tool_exec_end]}",
				"Move 'tool_exec_end' to an entry of hooks.tool_call. The events here are llm_request, llm_response");
		assertStopped("run.pre_run", "{command: [python3, GATE], intercept: [before_llm]}",
				"Move 'before_llm' to an entry of hooks.llm_call. There are no points here");
		assertStopped("run.pre_run", "{command: [python3, GATE], intercept: [turn_start]}",
				"There are no points here: a program gets the events of runs, but does not decide about them.");
		assertStopped("run.pre_run", "{command: [python3, GATE], observe: [llm_request]}",
				"Move 'llm_request' to an entry of hooks.llm_call. The events here are turn_start, turn_end");
	}

	@Test
	void whatMakesNoSenseAroundModelCallsAndRunsStopsTheStart() {
		assertStopped("run.pre_run", "{command: [python3, GATE]}",
				"Write 'observe' with some of [turn_start, turn_end].");
		assertStopped("run.post_run", "{command: [python3, GATE], observe: [turn_start]}", "Move the hook to pre_run");
		assertStopped("llm_call.post_call", "{command: [python3, GATE], intercept: [before_llm]}",
				"Move the hook to pre_call");
		assertStopped("llm_call.post_call", "{command: [python3, GATE], observe: ['*']}", "Move the hook to pre_call");
		assertStopped("llm_call.pre_call", "{command: [python3, GATE], approval_timeout: 1s}",
				"The approval_timeout is for tool calls");
		assertStopped("run.post_run", "{command: [python3, GATE], observe: [turn_end], fail_open: true}",
				"The program does not decide about runs");
		assertStopped("llm_call.pre_call", "{command: [python3, GATE], intercept: []}",
				"Write 'intercept' with some of [before_llm, after_llm], or 'observe'");
	}

	private static void assertStopped(String list, String config, String... fixes) {
		try (ToolHooksTester hooks = tester(list.substring(0, list.indexOf('.')), list.substring(list.indexOf('.') + 1),
				config)) {
			assertThatIllegalStateException().as(config)
				.isThrownBy(hooks::start)
				.withMessageStartingWith("The configuration of the hooks has ")
				.withMessageContaining("hooks." + list + "[0].config")
				.withMessageContainingAll(fixes);
		}
	}

	private static void assertStopped(String list, String config) {
		try (ToolHooksTester hooks = tester(list, config)) {
			assertThatIllegalStateException().as(config)
				.isThrownBy(hooks::start)
				.withMessageStartingWith("The configuration of the hooks has ")
				.withMessageContaining(list + "[0].config");
		}
	}

	private static ToolHooksTester tester(String list, String config) {
		return tester("tool_call", list, config);
	}

	private static ToolHooksTester tester(String section, String list, String config) {
		return ToolHooksTester.ofYaml("""
				hooks:
				  %s:
				    %s:
				      - type: process
				        config: %s
				""".formatted(section, list, config.replace("GATE", GATE).replace("\n", " ")));
	}

}
