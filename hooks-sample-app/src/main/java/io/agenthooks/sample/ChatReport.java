package io.agenthooks.sample;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What the agent said, and how the calls of its tools ended.
 *
 * @param answer the text
 * @param finishReason why the model stopped; {@code hookAbort} if a hook ended the turn
 * @param model the model that answered; the script, which is no AI, says so
 * @param toolCalls how the calls ended, oldest first
 */
record ChatReport(String answer, @JsonProperty("finish_reason") String finishReason, String model,
		@JsonProperty("tool_calls") List<ToolCallReport> toolCalls) {

}
