package io.agenthooks.sample;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import io.agenthooks.spring.suspend.ApprovalPendingException;

/** The answer of the agent, and how the calls of its tools ended. */
record ChatReport(String answer, @JsonProperty("finish_reason") String finishReason, String model,
		@JsonProperty("tool_calls") List<ToolCallReport> toolCalls,
		@JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> approvals) {

	static ChatReport pending(ApprovalPendingException ex, List<ToolCallReport> toolCalls) {
		return new ChatReport(ex.getReason(), "pending", "", toolCalls, ex.approvalIds());
	}

}
