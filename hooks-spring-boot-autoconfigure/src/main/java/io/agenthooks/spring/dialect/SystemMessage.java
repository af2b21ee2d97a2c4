package io.agenthooks.spring.dialect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.SentUser;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/** The message that is for one system: every member of it, in its form. */
final class SystemMessage {

	private final HookSystem system;

	private final ToolCall call;

	private final CallParts parts;

	private final String dir;

	private final DialectJson.Written arguments;

	/** How the call ended, or {@code null} before it. */
	private final @Nullable Ended ended;

	private final SystemMembers members;

	private SystemMessage(HookSystem system, ToolCall call, String dir, @Nullable Ended ended) {
		this.system = system;
		this.call = call;
		this.parts = new CallParts(call);
		this.dir = dir;
		this.arguments = json(call.arguments());
		this.ended = ended;
		this.members = new SystemMembers(system, call.context(), dir);
	}

	static byte[] write(HookSystem system, ToolCall call, @Nullable Ended ended, String dir, SentUser sent) {
		SystemMessage message = new SystemMessage(system, call, dir, ended);
		message.add();
		sent.addTo(message.members.map(), call.context());
		return CallMessage.line(message.members.map());
	}

	/** They must not look like a member of the whole to who searches the text. */
	private static DialectJson.Written json(@Nullable Object value) {
		return DialectJson.write(value, CallMessage::isHidden);
	}

	private void add() {
		switch (this.system) {
			case AGENTPOOL -> addAgentPool();
			case ANTIGRAVITY -> addAntigravity();
			case CLAUDE_CODE, CODEX, QWEN_CODE, VSCODE -> addClaudeCode();
			case CLINE -> addCline();
			case CLINE_VSCODE -> addClineInVsCode();
			case COPILOT -> addCopilot();
			case CURSOR, CURSOR_PRE_TOOL_USE -> addCursor();
			case GEMINI_CLI -> addGemini();
			case HERMES -> addHermes();
			case KIRO -> addKiro();
			case WINDSURF -> addWindsurf();
		}
	}

	private SystemMembers put(String name, @Nullable Object value) {
		return this.members.put(name, value);
	}

	private SystemMembers putTool(String name) {
		return put("tool_name", name).put("tool_input", this.arguments);
	}

	private String stableName() {
		return this.parts.tool().stableName();
	}

	private String event(String before, String after, String failure) {
		if (this.ended == null) {
			return before;
		}
		return (this.ended.error() != null) ? failure : after;
	}

	private void addAgentPool() {
		this.members.putAgentPool(event("pre_tool_use", "post_tool_use", "post_tool_use"));
		putTool(stableName());
		if (this.ended != null) {
			put("tool_output", json(this.ended.value())).put("error", this.ended.error());
			put("duration_ms", this.ended.millis());
		}
	}

	private void addAntigravity() {
		this.members.putAntigravity().put("stepIdx", 0);
		put("toolCall", named("name", stableName(), "args", json(this.parts.forAntigravity(this.dir))));
		if (this.ended != null) {
			put("error", Objects.requireNonNullElse(this.ended.error(), ""));
		}
	}

	private void addClaudeCode() {
		boolean oneEvent = this.system == HookSystem.CODEX || this.system == HookSystem.VSCODE;
		String event = event("PreToolUse", "PostToolUse", (oneEvent) ? "PostToolUse" : "PostToolUseFailure");
		this.members.putClaudeCode(event);
		putTool(stableName()).put("tool_use_id", this.call.id());
		if (this.system == HookSystem.QWEN_CODE) {
			put("tool_call_id", this.call.id());
		}
		if (this.ended != null) {
			put("tool_response", response(this.ended));
			if (event.equals("PostToolUseFailure")) {
				put("error", this.ended.error()).put("is_interrupt", false);
			}
			put("duration_ms", this.ended.millis());
		}
	}

	private Object response(Ended ended) {
		return switch (this.system) {
			case VSCODE -> ended.text();
			case QWEN_CODE ->
				(ended.value() instanceof Map<?, ?>) ? json(ended.value()) : named("output", ended.text());
			default -> json(ended.value());
		};
	}

	private void addCline() {
		this.members.putCline(event("tool_call", "tool_result", "tool_result")).put("iteration", 1);
		if (this.ended == null) {
			put("tool_call", named("id", this.call.id(), "name", stableName(), "input", this.arguments));
			put("preToolUse", named("toolName", stableName(), "parameters", copy(this.call.arguments())));
			return;
		}
		Map<String, @Nullable Object> result = named("id", this.call.id(), "name", stableName(), "input",
				this.arguments);
		result.put("output", json(this.ended.value()));
		result.put("error", this.ended.error());
		result.put("durationMs", this.ended.millis());
		put("tool_result", result);
	}

	private void addClineInVsCode() {
		this.members.putCline(event("PreToolUse", "PostToolUse", "PostToolUse")).putClineModel();
		Map<String, @Nullable Object> use = named("toolName", stableName(), "parameters", json(this.parts.asTexts()));
		if (this.ended != null) {
			use.put("result", this.ended.text());
			use.put("success", this.ended.error() == null);
			use.put("executionTimeMs", Long.toString(Math.round(this.ended.millis())));
		}
		put((this.ended == null) ? "preToolUse" : "postToolUse", use);
	}

	private void addCopilot() {
		this.members.putCopilot().put("toolName", stableName()).put("toolArgs", this.arguments);
		if (this.ended != null) {
			put("toolResult", named("resultType", (this.ended.error() == null) ? "success" : "failure",
					"textResultForLlm", this.ended.text()));
			if (this.ended.error() != null) {
				put("error", this.ended.error());
			}
		}
	}

	private void addCursor() {
		boolean special = this.system == HookSystem.CURSOR;
		boolean server = special && this.parts.isOnServer();
		boolean shell = special && !server && this.parts.text(CallParts.COMMAND) != null;
		this.members.putCursor(cursorEvent(server, shell)).put("cwd", this.dir);
		putTool(cursorName(server)).put("tool_use_id", this.call.id());
		if (server) {
			put("tool_input", this.arguments.toString()).put("mcp_server_name", this.parts.server());
		}
		if (shell) {
			put(CallParts.COMMAND, this.parts.text(CallParts.COMMAND)).put("sandbox", false);
		}
		if (this.parts.text(CallParts.FILE) != null) {
			put(CallParts.FILE, this.parts.text(CallParts.FILE));
		}
		if (this.ended == null) {
			put("agent_message", "");
		}
		else {
			addCursorResult(this.ended, server, shell);
		}
	}

	private void addCursorResult(Ended ended, boolean server, boolean shell) {
		String text = json(ended.value()).toString();
		put("tool_output", text).put("duration", ended.millis());
		if (server) {
			put("result_json", text);
		}
		if (shell) {
			put("output", ended.text());
		}
		if (ended.error() != null) {
			put("error_message", ended.error()).put("failure_type", "error").put("is_interrupt", false);
		}
	}

	private String cursorEvent(boolean server, boolean shell) {
		if (server) {
			return event("beforeMCPExecution", "afterMCPExecution", "postToolUseFailure");
		}
		return (shell) ? event("beforeShellExecution", "afterShellExecution", "postToolUseFailure")
				: event("preToolUse", "postToolUse", "postToolUseFailure");
	}

	private String cursorName(boolean bare) {
		ToolIdentity tool = this.parts.tool();
		return (this.parts.isOnServer() && !bare) ? "MCP:" + tool.name() : tool.name();
	}

	private void addGemini() {
		this.members.putGemini(event("BeforeTool", "AfterTool", "AfterTool"));
		putTool((this.parts.isOnServer()) ? "mcp_" + this.parts.server() + "_" + this.parts.tool().name()
				: this.parts.tool().name());
		if (this.parts.isOnServer()) {
			put("mcp_context", this.parts.mcpContext());
		}
		if (this.ended != null) {
			Map<String, @Nullable Object> response = named("llmContent", this.ended.text(), "returnDisplay",
					this.ended.text());
			if (this.ended.error() != null) {
				response.put("error", this.ended.error());
			}
			put("tool_response", response);
		}
	}

	private void addHermes() {
		this.members.putHermes(event("pre_tool_call", "post_tool_call", "post_tool_call"));
		putTool(stableName());
		put("extra", (this.ended == null) ? Map.of() : named("result", this.ended.text(), "error", this.ended.error()));
	}

	private void addKiro() {
		this.members.putKiro(event("preToolUse", "postToolUse", "postToolUse"));
		putTool((this.parts.isOnServer()) ? "@" + this.parts.server() + "/" + this.parts.tool().name()
				: this.parts.tool().name());
		if (this.ended != null) {
			put("tool_response",
					named("success", this.ended.error() == null, "result", List.of(json(this.ended.value()))));
		}
	}

	/** A tool of none of Windsurf's kinds is told as one of a server. */
	private void addWindsurf() {
		String action = Objects.requireNonNullElse(this.parts.windsurfAction(), "mcp_tool_use");
		this.members.putWindsurf(event("pre_", "post_", "post_") + action);
		Map<String, @Nullable Object> info = new LinkedHashMap<>();
		switch (action) {
			case "run_command" -> {
				info.put("command_line", this.parts.text(CallParts.COMMAND));
				info.put("cwd", this.dir);
			}
			case "write_code" -> {
				info.put(CallParts.FILE, this.parts.text(CallParts.FILE));
				info.put("edits", json(this.parts.edits()));
			}
			case "read_code" -> info.put(CallParts.FILE, this.parts.text(CallParts.FILE));
			default -> {
				info.put("mcp_server_name", this.parts.server());
				info.put("mcp_tool_name", this.parts.tool().name());
				info.put("mcp_tool_arguments", this.arguments);
			}
		}
		if (this.ended != null) {
			info.put((action.equals("mcp_tool_use")) ? "mcp_result" : "output", this.ended.text());
			if (action.equals("run_command")) {
				info.put("exit_code", (this.ended.error() == null) ? 0 : 1);
			}
		}
		put("tool_info", info);
	}

	private static DialectJson.Written copy(@Nullable Object value) {
		return DialectJson.write(value, (name) -> true);
	}

	private static Map<String, @Nullable Object> named(@Nullable Object... namesAndValues) {
		Map<String, @Nullable Object> named = new LinkedHashMap<>();
		for (int i = 0; i < namesAndValues.length; i += 2) {
			named.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
		}
		return named;
	}

	/** No error if nothing went wrong. */
	record Ended(@Nullable Object value, String text, @Nullable String error, double millis) {
	}

}
