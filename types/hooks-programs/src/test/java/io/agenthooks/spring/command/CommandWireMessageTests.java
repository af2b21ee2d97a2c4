package io.agenthooks.spring.command;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.CallContext;
import io.agenthooks.spring.Wire;
import io.agenthooks.spring.dialect.CallMessage;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a command gets what it would get from its own system: every member, in its
 * form. // B09
 */
class CommandWireMessageTests {

	private static final StrictJson json = new StrictJson(8);

	private static final ToolCall SHELL = call("Bash", Map.of("command", "ls", "description", "List files"));

	private static final ToolCall MCP = ToolCall.of("call-1", ToolIdentity.onServer("tickets", "close", "close_2"),
			Map.of("id", 7), context());

	private static CallContext context() {
		return CallContext.ofSession("session-1").withAgent("main").withRunId("run-1");
	}

	private static ToolCall call(String tool, Map<String, Object> arguments) {
		return ToolCall.of("call-1", tool, arguments, context());
	}

	@ParameterizedTest
	@CsvSource({ "agentpool/pre_tool_use.request, AGENTPOOL, bash", "claude-code/PreToolUse.request, CLAUDE_CODE, Bash",
			"claude-code/PreToolUse.mcp.request, CLAUDE_CODE, mcp",
			"claude-code/PreToolUse.subagent.request, CLAUDE_CODE, Read",
			"cline/tool_call.request, CLINE, run_commands",
			"cline/PreToolUse.vscode.request, CLINE_VSCODE, execute_command", "codex/PreToolUse.request, CODEX, Bash",
			"codex/PreToolUse.apply_patch.request, CODEX, apply_patch", "codex/PreToolUse.mcp.request, CODEX, mcp",
			"copilot/preToolUse.request, COPILOT, bash", "copilot/preToolUse.PascalCase.request, QWEN_CODE, Bash",
			"cursor/preToolUse.request, CURSOR_PRE_TOOL_USE, Shell",
			"cursor/preToolUse.mcp.request, CURSOR_PRE_TOOL_USE, mcp",
			"cursor/beforeShellExecution.request, CURSOR, Shell", "cursor/beforeMCPExecution.http.request, CURSOR, mcp",
			"gemini-cli/BeforeTool.request, GEMINI_CLI, run_shell_command",
			"gemini-cli/BeforeTool.mcp.request, GEMINI_CLI, mcp", "hermes/pre_tool_call.request, HERMES, terminal",
			"kiro/preToolUse.request, KIRO, execute_bash", "kiro/preToolUse.mcp.request, KIRO, mcp",
			"qwen-code/PreToolUse.request, QWEN_CODE, run_shell_command",
			"antigravity/PreToolUse.request, ANTIGRAVITY, run_command",
			"vscode/PreToolUse.request, VSCODE, runTerminalCommand",
			"windsurf/pre_run_command.request, WINDSURF, shell", "windsurf/pre_mcp_tool_use.request, WINDSURF, mcp",
			"windsurf/pre_read_code.request, WINDSURF, read", "windsurf/pre_write_code.request, WINDSURF, write" })
	void messageBeforeTheCallHasWhatTheSystemSends(String file, HookSystem system, String tool) {
		Map<String, @Nullable Object> theirs = Wire.message(file);
		ToolCall call = (tool.equals("mcp")) ? MCP : call(tool, arguments(theirs));
		Wire.assertForm(file, theirs, json.readObject(CallMessage.preCall(system, call, "/srv/app", SentUser.NOTHING)));
	}

	@ParameterizedTest
	@CsvSource({ "antigravity/PostToolUse.request, ANTIGRAVITY, run_command",
			"claude-code/PostToolUse.request, CLAUDE_CODE, Bash", "cline/tool_result.request, CLINE, run_commands",
			"cline/PostToolUse.vscode.request, CLINE_VSCODE, execute_command", "codex/PostToolUse.request, CODEX, Bash",
			"copilot/postToolUse.request, COPILOT, bash", "cursor/postToolUse.request, CURSOR_PRE_TOOL_USE, Shell",
			"cursor/afterMCPExecution.request, CURSOR, mcp",
			"gemini-cli/AfterTool.request, GEMINI_CLI, run_shell_command",
			"kiro/postToolUse.request, KIRO, execute_bash",
			"qwen-code/PostToolUse.request, QWEN_CODE, run_shell_command",
			"vscode/PostToolUse.request, VSCODE, editFiles", "windsurf/post_run_command.request, WINDSURF, shell",
			"windsurf/post_mcp_tool_use.request, WINDSURF, mcp" })
	void messageAfterTheCallHasWhatTheSystemSends(String file, HookSystem system, String tool) {
		Map<String, @Nullable Object> theirs = Wire.message(file);
		ToolCall call = (tool.equals("mcp")) ? MCP : call(tool, arguments(theirs));
		Object value = theirs.getOrDefault("tool_response", "a.txt");
		ToolResult result = ToolResult.success("a.txt", (system == HookSystem.GEMINI_CLI) ? "a.txt" : value);
		Wire.assertForm(file, theirs,
				json.readObject(CallMessage.result(system, call, result, 12_000_000, "/srv/app", SentUser.NOTHING)));
	}

	@ParameterizedTest
	@CsvSource({ "claude-code/PostToolUseFailure.request, CLAUDE_CODE", "copilot/postToolUseFailure.request, COPILOT",
			"cursor/postToolUseFailure.request, CURSOR_PRE_TOOL_USE" })
	void messageAboutAFailureHasWhatTheSystemSends(String file, HookSystem system) {
		Map<String, @Nullable Object> theirs = Wire.message(file);
		ToolCall call = call("Bash", arguments(theirs));
		Wire.assertForm(file, theirs, json.readObject(CallMessage.result(system, call, ToolResult.failure("exit 1"),
				3_000_000, "/srv/app", SentUser.NOTHING)));
	}

	/**
	 * What a guard looks at, without 'for', wherever its system has it. The names that
	 * clash are not here.
	 */
	@ParameterizedTest
	@CsvSource({ "antigravity/PreToolUse.request, toolCall conversationId workspacePaths transcriptPath",
			"gemini-cli/BeforeTool.mcp.request, mcp_context timestamp", "kiro/preToolUse.request, cwd tool_input",
			"windsurf/pre_mcp_tool_use.request, tool_info agent_action_name trajectory_id execution_id timestamp",
			"cursor/beforeMCPExecution.http.request, mcp_server_name",
			"cline/tool_call.request, tool_call preToolUse taskId",
			"vscode/PreToolUse.request, hookEventName sessionId timestamp",
			"copilot/preToolUse.request, toolName sessionId" })
	void messageOfAllSystemsHasWhatDoesNotClash(String file, String names) {
		Map<String, @Nullable Object> theirs = Wire.message(file);
		theirs.keySet().retainAll(Set.of(names.split(" ")));
		ToolCall call = (file.contains("mcp") || file.contains("MCP")) ? MCP : call("tool", arguments(theirs));
		Wire.assertForm(file, theirs, json.readObject(CallMessage.preCall(null, call, "/srv/app", SentUser.NOTHING)));
	}

	@ParameterizedTest
	@CsvSource({ "copilot/postToolUse.request, toolResult", "copilot/postToolUse.PascalCase.request, tool_result",
			"cline/tool_result.request, tool_result", "cline/PostToolUse.vscode.request, postToolUse" })
	void messageOfAllSystemsHasTheResultWhereTheyHaveIt(String file, String name) {
		Map<String, @Nullable Object> theirs = Wire.message(file);
		theirs.keySet().retainAll(Set.of(name));
		Wire.assertForm(file, theirs, json.readObject(CallMessage.result(null, call("Bash", Map.of("command", "ls")),
				ToolResult.success("a.txt"), 1, "/srv/app", SentUser.NOTHING)));
	}

	@Test
	void namesAreThoseOfTheSystem() {
		assertThat(message(HookSystem.CURSOR, MCP)).containsEntry("hook_event_name", "beforeMCPExecution")
			.containsEntry("tool_name", "close")
			.containsEntry("tool_input", "{\"id\":7}")
			.containsEntry("mcp_server_name", "tickets");
		assertThat(message(HookSystem.CURSOR, SHELL)).containsEntry("hook_event_name", "beforeShellExecution")
			.containsEntry("command", "ls");
		assertThat(message(HookSystem.CURSOR_PRE_TOOL_USE, MCP)).containsEntry("tool_name", "MCP:close")
			.containsEntry("tool_input", Map.of("id", 7));
		assertThat(message(HookSystem.GEMINI_CLI, MCP)).containsEntry("tool_name", "mcp_tickets_close");
		assertThat(message(HookSystem.KIRO, MCP)).containsEntry("tool_name", "@tickets/close");
		assertThat(message(HookSystem.CLAUDE_CODE, MCP)).containsEntry("tool_name", "mcp__tickets__close");
		assertThat(message(HookSystem.COPILOT, SHELL)).containsEntry("toolArgs", SHELL.arguments())
			.doesNotContainKey("hook_event_name");
		assertThat(message(HookSystem.CODEX, SHELL)).doesNotContainKeys("toolName", "toolCall", "event");
		assertThat(message(HookSystem.CLINE, SHELL)).containsEntry("hookName", "tool_call");
		assertThat(message(HookSystem.CLINE_VSCODE, call("t", Map.of("n", 7, "b", true))))
			.containsEntry("hookName", "PreToolUse")
			.containsEntry("preToolUse", Map.of("toolName", "t", "parameters", Map.of("n", "7", "b", "true")));
		assertThat(message(HookSystem.WINDSURF, MCP)).containsEntry("agent_action_name", "pre_mcp_tool_use");
	}

	/**
	 * Guards of relatives that look for a call where their system has it.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "-|d['toolCall']['name'] == 'close_it' and d['toolCall']['args']['id'] == 7",
			"-|d['mcp_context']['server_name'] == 'tickets'", "-|d['tool_info']['mcp_tool_name'] == 'close_it'",
			"-|d['tool_info']['mcp_server_name'] == 'tickets' and d['tool_info']['mcp_tool_arguments']['id'] == 7",
			"CURSOR|d['tool_name'] == 'close_it' and 'id' in d['tool_input'] and isinstance(d['tool_input'], str)",
			"COPILOT|d['toolArgs']['id'] == 7", "KIRO|d['tool_name'] == '@tickets/close_it'" })
	void guardOfARelativeFindsTheCall(String system, String condition) {
		ToolCall call = ToolCall.of("call-1", ToolIdentity.onServer("tickets", "close_it", "close_it"), Map.of("id", 7),
				context());
		String program = "import json,sys\nd=json.load(sys.stdin)\ntry:\n  found=" + condition
				+ "\nexcept (KeyError,TypeError):\n  found=False\nsys.exit(2 if found else 0)";
		Commands command = Commands.exec("python3", "-c", program);
		if (!system.equals("-")) {
			command = command.speaking(HookSystem.valueOf(system));
		}
		ToolCall named = (condition.contains("toolCall")) ? call("close_it", Map.of("id", 7)) : call;
		try (CommandToolHook hook = command.hook()) {
			assertThat(hook.preCall(named)).isInstanceOf(ToolDecision.Deny.class);
		}
	}

	private static Map<String, @Nullable Object> message(HookSystem system, ToolCall call) {
		return json.readObject(CallMessage.preCall(system, call, "/srv/app", SentUser.NOTHING));
	}

	/**
	 * The arguments that their call has, by the names that our tools give them.
	 */
	private static Map<String, Object> arguments(Map<String, @Nullable Object> theirs) {
		Map<String, Object> info = members(theirs.get("tool_info"));
		if (info.containsKey("file_path")) {
			return (info.containsKey("edits")) ? Map.of("file_path", "a", "edits", info.get("edits"))
					: Map.of("file_path", "a");
		}
		return Stream
			.of(theirs.get("tool_input"), theirs.get("toolArgs"), members(theirs.get("toolCall")).get("args"),
					members(theirs.get("tool_call")).get("input"), members(theirs.get("tool_result")).get("input"),
					Map.of("command", "ls"))
			.filter(Map.class::isInstance)
			.map(CommandWireMessageTests::members)
			.findFirst()
			.orElseThrow();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> members(@Nullable Object value) {
		return (value instanceof Map<?, ?> members) ? (Map<String, Object>) members : Map.of();
	}

}
