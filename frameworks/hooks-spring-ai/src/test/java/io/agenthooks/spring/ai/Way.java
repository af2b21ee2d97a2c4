package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.model.ChatResponse;

/**
 * The two ways to use a {@code ChatClient}.
 */
enum Way {

	/**
	 * Wait for the answer.
	 */
	CALL {
		@Override
		Answer ask(ChatClientRequestSpec question) {
			return Answer.of(List.of(Objects.requireNonNull(question.call().chatResponse())));
		}
	},

	/**
	 * Get the answer in pieces.
	 */
	STREAM {
		@Override
		Answer ask(ChatClientRequestSpec question) {
			return Answer.of(Objects.requireNonNull(question.stream()
				.chatResponse()
				.filter((piece) -> piece.getResult() != null)
				.collectList()
				.block()));
		}
	};

	abstract Answer ask(ChatClientRequestSpec question);

	/**
	 * What the user gets.
	 */
	record Answer(String text, ChatGenerationMetadata metadata) {

		@Nullable String finishReason() {
			return this.metadata.getFinishReason();
		}

		static Answer of(List<ChatResponse> pieces) {
			return new Answer(
					pieces.stream()
						.flatMap((piece) -> piece.getResults().stream())
						.map((generation) -> String.valueOf(generation.getOutput().getText()))
						.collect(Collectors.joining()),
					Objects.requireNonNull(pieces.get(pieces.size() - 1).getResult()).getMetadata());
		}

	}

}
