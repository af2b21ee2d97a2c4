package io.agenthooks.sample;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.execution.ToolExecutionException;

import io.agenthooks.sample.tools.ToolFailures;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * The end of a call, as the API tells it.
 *
 * @param decidedBy the hook whose decision that is, or {@code null} if nobody objected
 * @param reason why, or {@code null} if there is none
 * @param rule the rule that decided, or {@code null} if there is none; the agent does not
 * read it
 * @param durationMs how long the call took, hooks included, in milliseconds
 */
record ToolCallReport(@JsonProperty("call_id") String callId, @JsonProperty("tool_name") String toolName, String status,
		String verdict, @JsonProperty("decided_by") @Nullable String decidedBy, @Nullable String reason,
		@Nullable String rule, String content, @JsonProperty("replaced_by") List<String> replacedBy,
		@JsonProperty("would_deny") List<String> wouldDeny, Map<String, @Nullable Object> arguments,
		@JsonProperty("duration_ms") double durationMs) {

	static ToolCallReport of(ToolOutcome outcome) {
		return new ToolCallReport(outcome.effective().id(), outcome.effective().tool(), outcome.status().value(),
				outcome.decision().verdict().value(), outcome.decidedBy(), reason(outcome),
				(outcome.rule() != null) ? outcome.rule().name() : null, content(outcome), outcome.replacedBy(),
				outcome.wouldDeny(), outcome.effective().arguments(), outcome.duration().toNanos() / 1_000_000d);
	}

	private static @Nullable String reason(ToolOutcome outcome) {
		if (outcome.decision() instanceof ToolDecision.Deny deny) {
			return deny.reason();
		}
		if (outcome.decision() instanceof ToolDecision.Abort abort) {
			return abort.reason();
		}
		return (outcome.failedOpen().isEmpty()) ? null : "Failed open: " + String.join(", ", outcome.failedOpen());
	}

	/** The message of a tool's exception may hold anything, so only its type is told. */
	private static String content(ToolOutcome outcome) {
		if (outcome.result() != null) {
			return outcome.result().content();
		}
		if (outcome.failure() instanceof ToolCallAbortedException aborted) {
			return ((outcome.status() == ToolCallStatus.PENDING) ? "" : "Aborted: ") + aborted.getReason();
		}
		if (outcome.failure() instanceof ToolExecutionException failed) {
			return ToolFailures.describe(failed);
		}
		return "The tool failed"
				+ ((outcome.failure() != null) ? " with " + outcome.failure().getClass().getName() : "");
	}

}
