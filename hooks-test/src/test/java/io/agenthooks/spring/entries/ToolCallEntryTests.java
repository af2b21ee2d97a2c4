package io.agenthooks.spring.entries;

import java.util.Map;

import org.junit.jupiter.api.Test;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what an entry of any type may say.
 */
class ToolCallEntryTests {

	@Test
	void passthroughApprovesEverything() {
		assertThat(ToolHooksTester.ofYaml("hooks.tool_call.pre_call: [{type: passthrough}]").call("t", Map.of()))
			.isApproved();
	}

	@Test
	void entryInObserveModeLetsTheCallPass() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - {type: policy, name: no-shell, mode: observe, config: {deny_tools: [run_command]}}
				""");
		assertThat(hooks.call("run_command", Map.of())).isApproved().wouldBeDeniedBy("no-shell");
	}

	@Test
	void entryThatFailsDeniesUnlessItFailsOpen() {
		assertThat(failing("").call("t", Map.of())).isDenied().byHook("failing#0").withReason("The hook failed");
		assertThat(failing(", fail_open: true").call("t", Map.of())).isApproved().hasFailedOpen("failing#0");
	}

	private static ToolHooksTester failing(String options) {
		return ToolHooksTester.ofYaml("hooks.tool_call.pre_call: [{type: failing%s}]".formatted(options))
			.withBean(ToolHookFactory.of("failing", Nothing.class, (nothing) -> (PreToolHook) (call) -> {
				throw new IllegalStateException("failing");
			}));
	}

	@Test
	void approverBeanAnswersQuestions() {
		ToolHooksTester hooks = ToolHooksTester.ofHooks((PreToolHook) (call) -> ToolDecision.ask("May I?"));
		ToolApprover approver = (call, question) -> ToolDecision.approve();
		assertThat(hooks.call("t", Map.of())).hasAskedForApproval("May I?").isDenied();
		assertThat(hooks.withBean(approver).call("t", Map.of())).hasAskedForApproval("May I?").isApproved();
	}

	private record Nothing() {
	}

}
