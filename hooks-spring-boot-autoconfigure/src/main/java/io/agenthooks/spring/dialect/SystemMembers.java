package io.agenthooks.spring.dialect;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;

/**
 * The members that all messages of a system have. What the application does not know is a
 * text that says so.
 */
final class SystemMembers {

	static final String UNKNOWN = "unknown";

	/** Some programs refuse older ones. */
	private static final String CURSOR_VERSION = "3.0.0";

	private final HookSystem system;

	private final CallContext context;

	private final String dir;

	private final Instant time = Instant.now();

	private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

	SystemMembers(HookSystem system, CallContext context, String dir) {
		this.system = system;
		this.context = context;
		this.dir = dir;
	}

	Map<String, @Nullable Object> map() {
		return this.members;
	}

	SystemMembers put(String name, @Nullable Object value) {
		this.members.put(name, value);
		return this;
	}

	private String session() {
		return Objects.requireNonNullElse(this.context.sessionId(), "");
	}

	private String run() {
		return Objects.requireNonNullElse(this.context.runId(), "");
	}

	SystemMembers putAgentPool(String event) {
		return put("event", event).put("agent_name", this.context.agent())
			.put("conversation_id", this.context.sessionId());
	}

	SystemMembers putAntigravity() {
		return put("conversationId", session()).put("workspacePaths", List.of(this.dir))
			.put("transcriptPath", "")
			.put("artifactDirectoryPath", "")
			.put("modelName", UNKNOWN);
	}

	SystemMembers putClaudeCode(String event) {
		boolean vscode = this.system == HookSystem.VSCODE;
		put((vscode) ? "sessionId" : "session_id", session()).put((vscode) ? "hookEventName" : "hook_event_name", event)
			.put("transcript_path", (this.system == HookSystem.CODEX) ? null : "")
			.put("cwd", this.dir);
		switch (this.system) {
			case CODEX -> put("turn_id", run()).put("model", UNKNOWN);
			case CLAUDE_CODE -> {
				put("prompt_id", run());
				if (this.context.agent() != null) {
					put("agent_id", this.context.agent()).put("agent_type", this.context.agent());
				}
			}
			default -> put("timestamp", this.time.toString());
		}
		return (vscode) ? this : put("permission_mode", "default");
	}

	SystemMembers putCline(String hook) {
		boolean vscode = this.system == HookSystem.CLINE_VSCODE;
		return put("hookName", hook).put("clineVersion", (vscode) ? "4.0.0" : "1.0.0")
			.put("timestamp", (vscode) ? Long.toString(this.time.toEpochMilli()) : this.time.toString())
			.put("taskId", session())
			.put("workspaceRoots", List.of(this.dir))
			.put("userId", "");
	}

	SystemMembers putClineModel() {
		return put("model", Map.of("provider", UNKNOWN, "slug", UNKNOWN));
	}

	SystemMembers putCopilot() {
		return put("sessionId", session()).put("timestamp", this.time.toEpochMilli()).put("cwd", this.dir);
	}

	SystemMembers putCursor(String event) {
		return put("conversation_id", session()).put("generation_id", run())
			.put("model", UNKNOWN)
			.put("model_id", UNKNOWN)
			.put("model_params", List.of())
			.put("cursor_version", CURSOR_VERSION)
			.put("workspace_roots", List.of(this.dir))
			.put("user_email", null)
			.put("transcript_path", null)
			.put("hook_event_name", event);
	}

	SystemMembers putGemini(String event) {
		return put("session_id", session()).put("transcript_path", "")
			.put("cwd", this.dir)
			.put("hook_event_name", event)
			.put("timestamp", this.time.toString());
	}

	SystemMembers putHermes(String event) {
		return put("hook_event_name", event).put("session_id", session())
			.put("cwd", this.dir)
			.put("profile", "default");
	}

	SystemMembers putKiro(String event) {
		return put("hook_event_name", event).put("cwd", this.dir);
	}

	SystemMembers putWindsurf(String action) {
		return put("agent_action_name", action).put("trajectory_id", session())
			.put("execution_id", run())
			.put("timestamp", this.time.toString());
	}

}
