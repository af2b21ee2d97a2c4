package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.json.PromptJson;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Our words, which are PulseBot's. Only JSON values are sent, never an object that a
 * mapper would have to guess at.
 */
record OwnWords(SentUser sent) implements WebhookWords {

	/** In characters. */
	static final int MAX_RESULT = 256 * 1024;

	@Override
	public byte[] question(ToolCall call) {
		return StrictJson.write(describe(call));
	}

	@Override
	public ToolDecision decision(byte[] answer, ToolCall call) {
		return WebhookReply.of(answer).decisionAbout(call);
	}

	@Override
	public LlmDecision decision(byte[] answer, LlmCall call) {
		return WebhookReply.of(answer).decisionAbout(call);
	}

	@Override
	public RunDecision decision(byte[] answer, AgentRun run) {
		return WebhookReply.of(answer).decisionAbout(run);
	}

	@Override
	public byte[] news(ToolOutcome outcome) {
		Map<String, @Nullable Object> message = describe(outcome.effective());
		ToolResult result = outcome.result();
		boolean success = result != null && result.succeeded();
		message.put("event", "post_call");
		message.put("success", success);
		putEnd(message, outcome.status().value(), outcome.decidedBy(), outcome.failedOpen(), outcome.duration());
		if (result == null) {
			message.put("error", describe(outcome.failure()));
		}
		else if (success && result.content().length() <= MAX_RESULT && StrictJson.isJson(result.value())) {
			message.put("result", result.value());
		}
		else {
			putText(message, (success) ? "result" : "error", result.content());
		}
		return StrictJson.write(message);
	}

	@Override
	public byte[] question(LlmCall call) {
		return StrictJson.write(describe("pre_llm_call", call));
	}

	@Override
	public byte[] news(LlmOutcome outcome) {
		Map<String, @Nullable Object> message = describe("post_llm_call", outcome.effective());
		LlmResponse response = outcome.response();
		putEnd(message, outcome.status().value(), outcome.decidedBy(), outcome.failedOpen(), outcome.duration());
		if (response != null) {
			putText(message, "content", response.text());
			message.put("finish_reason", response.finishReason());
			message.put("tool_calls", response.toolCalls().stream().map(LlmToolCall::name).toList());
			putUsage(message, response.usage());
		}
		else if (outcome.failure() != null) {
			message.put("error", describe(outcome.failure()));
		}
		return StrictJson.write(message);
	}

	private Map<String, @Nullable Object> describe(String event, LlmCall call) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("event", event);
		message.put("model", call.model());
		message.put("messages", PromptJson.messagesOf(call));
		message.put("options", PromptJson.optionsOf(call));
		message.put("tools", call.tools());
		putContext(message, call.id(), call.context());
		return message;
	}

	@Override
	public byte[] question(AgentRun run) {
		return StrictJson.write(describe("pre_run", run));
	}

	@Override
	public byte[] news(RunOutcome outcome) {
		Map<String, @Nullable Object> message = describe("post_run", outcome.run());
		putEnd(message, outcome.status().value(), outcome.decidedBy(), outcome.failedOpen(), outcome.duration());
		if (outcome.result() != null) {
			putText(message, "result", outcome.result());
		}
		else if (outcome.failure() != null) {
			message.put("error", describe(outcome.failure()));
		}
		putUsage(message, outcome.usage());
		return StrictJson.write(message);
	}

	private Map<String, @Nullable Object> describe(String event, AgentRun run) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("event", event);
		message.put("prompt", run.prompt());
		putContext(message, run.id(), run.context());
		return message;
	}

	private static void putEnd(Map<String, @Nullable Object> message, String status, @Nullable String decidedBy,
			List<String> failedOpen, Duration duration) {
		message.put("status", status);
		if (decidedBy != null) {
			message.put("decided_by", decidedBy);
		}
		if (!failedOpen.isEmpty()) {
			message.put("failed_open", failedOpen);
		}
		message.put("duration_ms", duration.toMillis());
	}

	private static void putText(Map<String, @Nullable Object> message, String name, String text) {
		if (text.length() > MAX_RESULT) {
			message.put(name, cut(text));
			message.put("truncated", true);
		}
		else {
			message.put(name, text);
		}
	}

	private static void putUsage(Map<String, @Nullable Object> message, @Nullable LlmUsage usage) {
		if (usage != null) {
			message.put("usage", Map.of("input_tokens", usage.inputTokens(), "output_tokens", usage.outputTokens()));
		}
	}

	private Map<String, @Nullable Object> describe(ToolCall call) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("tool_name", call.identity().stableName());
		message.put("arguments", call.arguments());
		putContext(message, call.id(), call.context());
		return message;
	}

	private void putContext(Map<String, @Nullable Object> message, String id, CallContext context) {
		message.put("session_id", Objects.requireNonNullElse(context.sessionId(), ""));
		message.put("call_id", id);
		if (context.runId() != null) {
			message.put("run_id", context.runId());
		}
		if (context.user() != null) {
			message.put("user", context.user());
		}
		this.sent.addTo(message, context);
		if (context.agent() != null) {
			message.put("agent", context.agent());
		}
		message.put("role", context.role());
		message.put("workspace", context.workspace());
		message.put("attempt", context.attempt());
		Map<String, Object> attributes = new LinkedHashMap<>(context.attributes());
		attributes.values().removeIf((value) -> !StrictJson.isJson(value));
		if (!attributes.isEmpty()) {
			message.put("attributes", attributes);
		}
	}

	private static String describe(@Nullable Throwable failure) {
		if (failure instanceof AgentAbortedException aborted) {
			return aborted.getReason();
		}
		return SafeText.reason(String.valueOf(failure));
	}

	private static String cut(String text) {
		int end = (Character.isHighSurrogate(text.charAt(MAX_RESULT - 1))) ? MAX_RESULT - 1 : MAX_RESULT;
		return text.substring(0, end);
	}

}
