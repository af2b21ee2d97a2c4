package io.agenthooks.sample;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import io.agenthooks.spring.suspend.ApprovalPendingException;

/**
 * What the agent said, and how the calls of its tools ended.
 *
 * @param answer the text
 * @param finishReason why the model stopped; {@code hookAbort} if a hook ended the turn,
 * {@code pending} if it goes on when people have decided
 * @param model the model that answered; the script, which is no AI, says so
 * @param toolCalls how the calls ended, oldest first
 * @param approvals the questions to people that it waits for
 */
record ChatReport(String answer, @JsonProperty("finish_reason") String finishReason, String model,
		@JsonProperty("tool_calls") List<ToolCallReport> toolCalls,
		@JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> approvals) {

	/**
	 * A turn that waits for people.
	 */
	static ChatReport pending(ApprovalPendingException ex, List<ToolCallReport> toolCalls) {
		return new ChatReport(ex.getReason(), "pending", "", toolCalls, ex.approvalIds());
	}

}
