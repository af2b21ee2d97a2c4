package io.agenthooks.spring.dialect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.SafeText;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.json.PromptJson;

/**
 * The messages about runs and model calls, each as one JSON object. Those that are for no
 * system have the names of Claude Code and of AgentPool, about model calls those of
 * Gemini CLI and of the webhook, both at once.
 *
 * @since 0.1.0
 */
public final class AgentMessage {

	private AgentMessage() {
	}

	/**
	 * The question whether a run may begin.
	 * @param system whose message it is, or {@code null} for that of all
	 * @param run the run
	 * @param dir where the decider runs
	 * @param sent what is sent of the user
	 * @return the message
	 */
	public static byte[] preRun(@Nullable HookSystem system, AgentRun run, String dir, SentUser sent) {
		if (system != null) {
			return SystemRunMessage.preRun(system, run, dir, sent);
		}
		return CallMessage.line(describe("UserPromptSubmit", "pre_run", run, dir, sent));
	}

	/**
	 * The news of how a run ended.
	 * @param system whose message it is, or {@code null} for that of all
	 * @param outcome how it ended
	 * @param dir where the decider runs
	 * @param sent what is sent of the user
	 * @return the message
	 */
	public static byte[] postRun(@Nullable HookSystem system, RunOutcome outcome, String dir, SentUser sent) {
		boolean succeeded = outcome.status() == RunStatus.SUCCEEDED;
		if (system != null) {
			return SystemRunMessage.postRun(system, outcome, (succeeded) ? null : reasonOf(outcome), dir, sent);
		}
		Map<String, @Nullable Object> message = describe((succeeded) ? "Stop" : "StopFailure", "post_run",
				outcome.run(), dir, sent);
		message.put("status", outcome.status().value());
		message.put("result", outcome.result());
		message.put("last_assistant_message", Objects.requireNonNullElse(outcome.result(), ""));
		message.put("stop_hook_active", false);
		if (!succeeded) {
			message.put("error", reasonOf(outcome));
		}
		message.put("duration_ms", outcome.duration().toNanos() / 1e6);
		return CallMessage.line(message);
	}

	private static String reasonOf(RunOutcome outcome) {
		Throwable failure = outcome.failure();
		if (failure == null) {
			return outcome.status().value();
		}
		return SafeText
			.reason((failure instanceof AgentAbortedException aborted) ? aborted.getReason() : failure.toString());
	}

	private static Map<String, @Nullable Object> describe(String claudeEvent, String agentPoolEvent, AgentRun run,
			String dir, SentUser sent) {
		Map<String, @Nullable Object> message = CallMessage.describe(claudeEvent, agentPoolEvent, run.context(), dir,
				sent);
		message.put("run_id", run.context().runId());
		message.put("prompt", run.prompt());
		return message;
	}

	/**
	 * The question whether a model may be asked.
	 * @param system whose message it is, or {@code null} for that of all
	 * @param call the call
	 * @param dir where the decider runs
	 * @param sent what is sent of the user
	 * @return the message
	 */
	public static byte[] preCall(@Nullable HookSystem system, LlmCall call, String dir, SentUser sent) {
		if (system != null) {
			return SystemRunMessage.modelCall(system, call, request(call), null, Map.of(), dir, sent);
		}
		return CallMessage.line(describe("BeforeModel", "pre_llm_call", call, dir, sent));
	}

	/**
	 * The response of a model.
	 * @param system whose message it is, or {@code null} for that of all
	 * @param call the call
	 * @param response what the model answered
	 * @param dir where the decider runs
	 * @param sent what is sent of the user
	 * @return the message
	 */
	public static byte[] response(@Nullable HookSystem system, LlmCall call, LlmResponse response, String dir,
			SentUser sent) {
		if (system != null) {
			return SystemRunMessage.modelCall(system, call, request(call), response, gemini(response), dir, sent);
		}
		Map<String, @Nullable Object> message = describe("AfterModel", "post_llm_call", call, dir, sent);
		message.put("content", response.text());
		message.put("finish_reason", response.finishReason());
		message.put("tool_calls", response.toolCalls().stream().map(LlmToolCall::name).toList());
		message.put("llm_response", gemini(response));
		return CallMessage.line(message);
	}

	private static Map<String, @Nullable Object> describe(String geminiEvent, String event, LlmCall call, String dir,
			SentUser sent) {
		Map<String, @Nullable Object> message = CallMessage.describe(geminiEvent, event, call.context(), dir, sent);
		message.put("run_id", call.context().runId());
		message.put("call_id", call.id());
		message.put("model", call.model());
		message.put("messages", PromptJson.messagesOf(call));
		message.put("options", PromptJson.optionsOf(call));
		message.put("tools", call.tools());
		message.put("llm_request", request(call));
		return message;
	}

	private static Map<String, @Nullable Object> request(LlmCall call) {
		Map<String, @Nullable Object> request = new LinkedHashMap<>();
		request.put("model", Objects.requireNonNullElse(call.model(), ""));
		request.put("messages", PromptJson.geminiMessagesOf(call));
		request.put("config", PromptJson.optionsOf(call));
		return request;
	}

	private static Map<String, @Nullable Object> gemini(LlmResponse response) {
		Map<String, @Nullable Object> candidate = new LinkedHashMap<>();
		candidate.put("content", Map.of("role", "model", "parts", List.of(response.text())));
		candidate.put("finishReason", response.finishReason());
		candidate.put("index", 0);
		Map<String, @Nullable Object> described = new LinkedHashMap<>();
		described.put("text", response.text());
		described.put("candidates", List.of(candidate));
		LlmUsage usage = response.usage();
		if (usage != null) {
			described.put("usageMetadata", Map.of("promptTokenCount", usage.inputTokens(), "candidatesTokenCount",
					usage.outputTokens(), "totalTokenCount", usage.inputTokens() + usage.outputTokens()));
		}
		return described;
	}

}
