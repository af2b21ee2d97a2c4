package io.agenthooks.sample.model;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.annotation.PostConstruct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/**
 * No AI: calls the tools that the user's message tells it to call, see {@link Script},
 * and then quotes what they said. The loop around it is that of Spring AI, and does not
 * know the difference. It takes part unless a real model is chosen.
 */
@Component
@ConditionalOnProperty(name = "spring.ai.model.chat", havingValue = "none")
class SampleChatModel implements ChatModel {

	/** The name of the model in each answer. */
	static final String NAME = "script (no AI)";

	private static final Logger logger = LoggerFactory.getLogger(SampleChatModel.class);

	@PostConstruct
	void announce() {
		logger.info("A script plays the model: no AI. Start with the profile 'openai' for a real one");
	}

	@Override
	public ChatOptions getOptions() {
		return ToolCallingChatOptions.builder().model(NAME).build();
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		return response(answer(prompt.getInstructions()), true);
	}

	/** Say the same as {@link #call}, line by line. */
	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> {
			AssistantMessage answer = answer(prompt.getInstructions());
			if (answer.hasToolCalls()) {
				return Flux.just(response(answer, true));
			}
			List<String> lines = List.of(String.valueOf(answer.getText()).split("(?<=\n)"));
			return Flux.range(0, lines.size())
				.map((i) -> response(new AssistantMessage(lines.get(i)), i == lines.size() - 1));
		});
	}

	private static AssistantMessage answer(List<Message> messages) {
		int asked = lastQuestion(messages);
		if (asked == -1) {
			return new AssistantMessage(Script.HELP);
		}
		String question = String.valueOf(messages.get(asked).getText());
		List<Message> since = messages.subList(asked + 1, messages.size());
		List<List<AssistantMessage.ToolCall>> batches = Script.of(question).batches();
		long played = since.stream().filter(ToolResponseMessage.class::isInstance).count();
		if (played < batches.size()) {
			return AssistantMessage.builder().toolCalls(batches.get((int) played)).build();
		}
		if (Script.sentence(question).equals("what did i say before")) {
			return new AssistantMessage(recall(messages.subList(0, asked)));
		}
		return new AssistantMessage((batches.isEmpty()) ? Script.HELP : quote(since));
	}

	private static int lastQuestion(List<Message> messages) {
		for (int i = messages.size() - 1; i >= 0; i--) {
			if (messages.get(i) instanceof UserMessage) {
				return i;
			}
		}
		return -1;
	}

	private static String recall(List<Message> before) {
		String said = before.stream()
			.filter(UserMessage.class::isInstance)
			.map(Message::getText)
			.collect(Collectors.joining("\n"));
		return (said.isEmpty()) ? "Nothing." : "You said:\n" + said;
	}

	private static String quote(List<Message> since) {
		return since.stream()
			.flatMap((message) -> (message instanceof ToolResponseMessage replies) ? replies.getResponses().stream()
					: Stream.empty())
			.map((reply) -> "%s said: %s".formatted(reply.name(), reply.responseData()))
			.collect(Collectors.joining("\n"));
	}

	private static ChatResponse response(AssistantMessage message, boolean last) {
		ChatGenerationMetadata metadata = (last) ? ChatGenerationMetadata.builder()
			.finishReason((message.hasToolCalls()) ? "TOOL_CALLS" : "STOP")
			.build() : ChatGenerationMetadata.NULL;
		return new ChatResponse(List.of(new Generation(message, metadata)),
				ChatResponseMetadata.builder().model(NAME).build());
	}

}
