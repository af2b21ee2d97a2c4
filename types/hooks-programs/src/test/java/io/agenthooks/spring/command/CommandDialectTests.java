package io.agenthooks.spring.command;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.spring.dialect.CallMessage;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that programs which were written for other agents run unmodified: one program in
 * each dialect, which looks for the call where that agent puts it.
 */
@Timeout(60)
class CommandDialectTests {

	@Test
	void cursor() {
		Commands hook = Commands.program("python3", "cursor_gate.py");
		assertThat(ask(hook, "run_command", "command", "git push origin"))
			.isEqualTo(ToolDecision.deny("Leave pushing to people"));
		assertThat(ask(hook, "run_command", "command", "git status")).isEqualTo(ToolDecision.approve());
		assertThat(ask(hook, "read_file", "file_path", "/srv/key.pem")).isInstanceOfSatisfying(ToolDecision.Ask.class,
				(ask) -> assertThat(ask.question()).startsWith("Read a key in /"));
	}

	@Test
	void copilot() {
		Commands hook = Commands.program("node", "copilot_gate.js");
		assertThat(ask(hook, "bash", "command", "psql -c 'drop table \"a\u00e9\"'"))
			.isEqualTo(ToolDecision.deny("Tables stay"));
		assertThat(ask(hook, "bash", "command", "ls")).isEqualTo(ToolDecision.modify(Map.of("command", "ls -l")));
		assertThat(ask(hook, "bash", "command", "pwd")).isEqualTo(ToolDecision.approve());
	}

	@Test
	void cline() {
		Commands hook = Commands.program("python3", "cline_gate.py");
		assertThat(ask(hook, "write_to_file", "path", "a.js")).isEqualTo(ToolDecision.deny("Write TypeScript"));
		assertThat(ask(hook, "write_to_file", "path", "package.json"))
			.isEqualTo(ToolDecision.ask("It changes what is installed"));
		assertThat(ask(hook, "write_to_file", "path", "a.ts"))
			.isEqualTo(ToolDecision.approve().withAdditionalContext("Keep it short"));
	}

	@Test
	void windsurf() {
		Commands hook = Commands.program("sh", "windsurf_gate.sh");
		assertThat(ask(hook, "run_command", "command", "npm publish"))
			.isEqualTo(ToolDecision.deny("Releases are made elsewhere\n"));
		assertThat(ask(hook, "run_command", "command", "npm test")).isEqualTo(ToolDecision.approve());
		assertThat(ask(hook, "read_file", "path", "npm publish")).isEqualTo(ToolDecision.approve());
	}

	@Test
	void claudeCodePermissionRequest() {
		Commands hook = Commands.program("python3", "claude_permission.py");
		assertThat(ask(hook, "Bash", "command", "ls")).isEqualTo(ToolDecision.approve());
		assertThat(ask(hook, "Bash", "command", "make")).isEqualTo(ToolDecision.deny("Only ls in mode default"));
		assertThat(ask(hook, "Read", "file_path", "a")).isEqualTo(ToolDecision.approve());
	}

	@Test
	void exitCodeTwoWithItsReasonAsJson() {
		Commands hook = Commands.program("python3", "exit2_json.py");
		assertThat(ask(hook, "Bash", "command", "ls")).isEqualTo(ToolDecision.deny("Said as JSON"));
	}

	@Test
	void otherNamesOfToolsAndEventsArePutInBeforeTheProgramReads() {
		Commands hook = Commands
			.shell("event=$(sed 's/\"tool_name\":\"run_command\"/\"tool_name\":\"Bash\"/') || exit 2; "
					+ "printf '%s\\n' \"$event\" | python3 src/test/resources/programs/claude_permission.py");
		assertThat(ask(hook, "run_command", "command", "make")).isEqualTo(ToolDecision.deny("Only ls in mode default"));
	}

	@Test
	void whatTheAgentChoseBecomesAMemberOnlyUnderTheNamesOfOtherAgents() {
		ToolCall call = ToolCall.of("run_command", Map.of("command", "ls", "file_path", "a", "permission_mode",
				"bypassPermissions", "tool_name", "Read", "agent_action_name", "x"));
		assertThat(new String(CallMessage.preCall(null, call, "/srv", SentUser.NOTHING), StandardCharsets.UTF_8))
			.startsWith("{\"session_id\":\"\",")
			.contains("\"permission_mode\":\"default\"", "\"tool_name\":\"run_command\"",
					"\"agent_action_name\":\"pre_run_command\"")
			.endsWith("}\n");
	}

	private static ToolDecision ask(Commands command, String tool, String argument, String value) {
		try (CommandToolHook hook = command.hook()) {
			return hook.preCall(ToolCall.of(tool, Map.of(argument, value)));
		}
	}

}
