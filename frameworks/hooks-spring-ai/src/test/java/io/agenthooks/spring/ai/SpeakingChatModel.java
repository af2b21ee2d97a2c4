package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.openai.OpenAiChatOptions;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * A model that speaks in pieces, counts ten tokens read and five written for each answer,
 * and has the options of a real one. It says "done" when it has nothing left to say.
 */
class SpeakingChatModel implements ChatModel {

	private final Queue<Flux<ChatResponse>> script = new ConcurrentLinkedQueue<>();

	private final List<Prompt> prompts = Collections.synchronizedList(new ArrayList<>());

	SpeakingChatModel says(String... pieces) {
		List<ChatResponse> responses = new ArrayList<>();
		for (int i = 0; i < pieces.length; i++) {
			responses.add(piece(new AssistantMessage(pieces[i]), (i == pieces.length - 1) ? "stop" : null));
		}
		return answers(Flux.fromIterable(responses));
	}

	SpeakingChatModel calls(String tool, String arguments) {
		return answers(Flux.just(piece(AssistantMessage.builder()
			.content("")
			.toolCalls(List.of(new AssistantMessage.ToolCall("call-1", "function", tool, arguments)))
			.build(), "tool_calls")));
	}

	SpeakingChatModel answers(Flux<ChatResponse> answer) {
		this.script.add(answer);
		return this;
	}

	static ChatResponse piece(AssistantMessage message, @Nullable String finishReason) {
		ChatResponseMetadata.Builder metadata = ChatResponseMetadata.builder().id("answer").model("speaking");
		if (finishReason != null) {
			metadata.usage(new DefaultUsage(10, 5));
		}
		return new ChatResponse(
				List.of(new Generation(message, ChatGenerationMetadata.builder().finishReason(finishReason).build())),
				metadata.build());
	}

	List<Prompt> prompts() {
		return List.copyOf(this.prompts);
	}

	/**
	 * The texts of what the model was asked last.
	 */
	List<String> lastPrompt() {
		List<Prompt> all = prompts();
		return all.get(all.size() - 1).getInstructions().stream().map((message) -> message.getText()).toList();
	}

	@Override
	public ChatOptions getOptions() {
		return OpenAiChatOptions.builder().model("speaking").temperature(0.5).user("somebody").build();
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		List<ChatResponse> pieces = Objects.requireNonNull(next(prompt).collectList().block());
		ChatResponse last = pieces.get(pieces.size() - 1);
		Generation generation = Objects.requireNonNull(last.getResult());
		String text = pieces.stream()
			.map((piece) -> Objects.requireNonNull(piece.getResult()).getOutput().getText())
			.collect(Collectors.joining());
		return new ChatResponse(List
			.of(new Generation(generation.getOutput().mutate().content(text).build(), generation.getMetadata())),
				last.getMetadata());
	}

	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> next(prompt)).publishOn(Schedulers.parallel());
	}

	private Flux<ChatResponse> next(Prompt prompt) {
		this.prompts.add(prompt);
		Flux<ChatResponse> answer = this.script.poll();
		return (answer != null) ? answer : Flux.just(piece(new AssistantMessage("done"), "stop"));
	}

}
