package io.agenthooks.sample;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.util.StringUtils;

import io.agenthooks.spring.ai.AgentHooks;

/** Puts together what the agent says in one turn, be it all at once or in pieces. */
final class ChatTurn {

	private final StringBuilder answer = new StringBuilder();

	private String finishReason = "";

	private String model = "";

	private @Nullable String run;

	String add(ChatClientResponse piece) {
		if (piece.context().get(AgentHooks.RUN_ID) instanceof String id) {
			this.run = id;
		}
		ChatResponse response = piece.chatResponse();
		Generation generation = (response != null) ? response.getResult() : null;
		if (response == null || generation == null) {
			return "";
		}
		if (StringUtils.hasText(response.getMetadata().getModel())) {
			this.model = response.getMetadata().getModel();
		}
		String reason = generation.getMetadata().getFinishReason();
		if (StringUtils.hasText(reason)) {
			this.finishReason = reason;
		}
		String text = generation.getOutput().getText();
		if (text == null) {
			return "";
		}
		this.answer.append(text);
		return text;
	}

	ChatReport report(SampleJournal journal) {
		return new ChatReport(this.answer.toString(), this.finishReason, this.model,
				(this.run != null) ? journal.ofRun(this.run).stream().map(ToolCallReport::of).toList() : List.of(),
				List.of());
	}

}
