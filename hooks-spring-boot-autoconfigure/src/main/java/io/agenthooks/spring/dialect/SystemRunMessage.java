package io.agenthooks.spring.dialect;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;
import io.agenthooks.spring.external.SentUser;

final class SystemRunMessage {

	private SystemRunMessage() {
	}

	static byte[] preRun(HookSystem system, AgentRun run, String dir, SentUser sent) {
		SystemMembers members = new SystemMembers(system, run.context(), dir);
		switch (system) {
			case AGENTPOOL -> members.putAgentPool("pre_run");
			case CLAUDE_CODE, CODEX, QWEN_CODE, VSCODE -> members.putClaudeCode("UserPromptSubmit");
			case CLINE_VSCODE -> members.putCline("UserPromptSubmit").putClineModel();
			case COPILOT -> members.putCopilot();
			case CURSOR, CURSOR_PRE_TOOL_USE -> members.putCursor("beforeSubmitPrompt").put("attachments", List.of());
			case GEMINI_CLI -> members.putGemini("BeforeAgent");
			case KIRO -> members.putKiro("userPromptSubmit");
			case WINDSURF -> members.putWindsurf("pre_user_prompt");
			case ANTIGRAVITY, CLINE, HERMES -> throw unknown(system);
		}
		switch (system) {
			case CLINE_VSCODE ->
				members.put("userPromptSubmit", Map.of("prompt", run.prompt(), "attachments", List.of()));
			case WINDSURF -> members.put("tool_info", Map.of("user_prompt", run.prompt()));
			default -> members.put("prompt", run.prompt());
		}
		sent.addTo(members.map(), run.context());
		return CallMessage.line(members.map());
	}

	/** No error if nothing went wrong. */
	static byte[] postRun(HookSystem system, RunOutcome outcome, @Nullable String error, String dir, SentUser sent) {
		SystemMembers members = new SystemMembers(system, outcome.run().context(), dir);
		String result = Objects.requireNonNullElse(outcome.result(), "");
		switch (system) {
			case AGENTPOOL -> members.putAgentPool("post_run")
				.put("prompt", outcome.run().prompt())
				.put("result", outcome.result())
				.put("error", error)
				.put("duration_ms", outcome.duration().toNanos() / 1e6);
			case ANTIGRAVITY -> members.putAntigravity()
				.put("executionNum", 1)
				.put("terminationReason", (error != null) ? "error" : "done")
				.put("fullyIdle", true)
				.put("finalModelOutput", result);
			case CLAUDE_CODE, CODEX, QWEN_CODE, VSCODE -> putStop(system, members, result, error);
			case COPILOT -> members.putCopilot()
				.put("transcriptPath", "")
				.put("stopReason", (error != null) ? "error" : "end_turn")
				.put("stop_hook_active", false);
			case CURSOR, CURSOR_PRE_TOOL_USE ->
				members.putCursor("stop").put("status", statusForCursor(outcome.status())).put("loop_count", 0);
			case GEMINI_CLI -> members.putGemini("AfterAgent")
				.put("prompt", outcome.run().prompt())
				.put("prompt_response", result)
				.put("stop_hook_active", false);
			case KIRO -> members.putKiro("stop").put("assistant_response", result);
			case WINDSURF -> members.putWindsurf("post_cascade_response").put("tool_info", Map.of("response", result));
			case CLINE, CLINE_VSCODE, HERMES -> throw unknown(system);
		}
		sent.addTo(members.map(), outcome.run().context());
		return CallMessage.line(members.map());
	}

	private static void putStop(HookSystem system, SystemMembers members, String result, @Nullable String error) {
		boolean failed = error != null && system == HookSystem.CLAUDE_CODE;
		members.putClaudeCode((failed) ? "StopFailure" : "Stop")
			.put("stop_hook_active", false)
			.put("last_assistant_message", result);
		if (system == HookSystem.CLAUDE_CODE) {
			members.put("background_tasks", List.of()).put("session_crons", List.of());
		}
		if (failed) {
			members.put("error", error);
		}
	}

	private static String statusForCursor(RunStatus status) {
		return switch (status) {
			case SUCCEEDED -> "completed";
			case FAILED -> "error";
			case DENIED, ABORTED, PENDING, CANCELLED -> "aborted";
		};
	}

	/** No response before the model has answered. */
	static byte[] modelCall(HookSystem system, LlmCall call, Map<String, @Nullable Object> request,
			@Nullable LlmResponse response, Map<String, @Nullable Object> described, String dir, SentUser sent) {
		SystemMembers members = new SystemMembers(system, call.context(), dir);
		switch (system) {
			case ANTIGRAVITY -> members.putAntigravity()
				.put("modelName", Objects.requireNonNullElse(call.model(), SystemMembers.UNKNOWN))
				.put("invocationNum", 1)
				.put("initialNumSteps", call.messages().size());
			case GEMINI_CLI ->
				members.putGemini((response != null) ? "AfterModel" : "BeforeModel").put("llm_request", request);
			default -> throw unknown(system);
		}
		if (response != null && system == HookSystem.GEMINI_CLI) {
			members.put("llm_response", described);
		}
		else if (response != null) {
			members.put("modelOutput", response.text()).put("modelThinking", "");
		}
		sent.addTo(members.map(), call.context());
		return CallMessage.line(members.map());
	}

	/** A mistake of ours: such an entry stops the start. */
	private static IllegalStateException unknown(HookSystem system) {
		return new IllegalStateException("'%s' has no such message".formatted(system));
	}

}
