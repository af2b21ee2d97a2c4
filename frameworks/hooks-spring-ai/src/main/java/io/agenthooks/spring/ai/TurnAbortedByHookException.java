package io.agenthooks.spring.ai;

import java.util.List;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.model.tool.ToolCallLimitExceededException;
import org.springframework.ai.model.tool.ToolExecutionResult;

import io.agenthooks.toolcall.TurnAbortedException;

/**
 * A hook ended the turn. Of the type for limits, at which Spring AI's loop ends a turn
 * without an error.
 */
final class TurnAbortedByHookException extends ToolCallLimitExceededException {

	private final TurnAbortedException abortion;

	private final String callId;

	private final String refusal;

	TurnAbortedByHookException(TurnAbortedException abortion, String callId, String refusal,
			ToolExecutionResult partialResult) {
		super(abortion.getCall().tool(), 0, partialResult);
		this.abortion = abortion;
		this.callId = callId;
		this.refusal = refusal;
		initCause(abortion);
	}

	@Override
	public String getMessage() {
		return String.valueOf(this.abortion.getMessage());
	}

	@Override
	public Generation buildGeneration() {
		return new Generation(new AssistantMessage(this.refusal),
				ChatGenerationMetadata.builder()
					.finishReason(AgentHooks.FINISH_REASON)
					.metadata(AgentHooks.ABORTED_BY, this.abortion.getHook())
					.metadata(ToolExecutionResult.METADATA_TOOL_ID, this.callId)
					.metadata(ToolExecutionResult.METADATA_TOOL_NAME, this.abortion.getCall().tool())
					.metadata(METADATA_PARTIAL_TOOL_RESPONSES, completed())
					.build());
	}

	private List<ToolResponse> completed() {
		List<Message> history = getPartialToolExecutionResult().conversationHistory();
		List<ToolResponse> replies = ((ToolResponseMessage) history.get(history.size() - 1)).getResponses();
		return replies.subList(0, replies.size() - 1);
	}

}
