package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.observation.ChatModelObservationContext;
import org.springframework.ai.chat.observation.ChatModelObservationDocumentation;
import org.springframework.ai.chat.observation.DefaultChatModelObservationConvention;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * A model that says what a test told it to, message by message, and remembers what it was
 * asked. When it has nothing left to say, it says "done". It is observed as the models of
 * Spring AI are, and streams on a thread of its own.
 */
class ScriptedChatModel implements ChatModel {

	private final Queue<AssistantMessage> script = new ConcurrentLinkedQueue<>();

	private final List<Prompt> prompts = Collections.synchronizedList(new ArrayList<>());

	private final Supplier<ObservationRegistry> observations;

	private int calls;

	ScriptedChatModel() {
		this(() -> ObservationRegistry.NOOP);
	}

	ScriptedChatModel(Supplier<ObservationRegistry> observations) {
		this.observations = observations;
	}

	/**
	 * Begin anew.
	 */
	void forget() {
		this.script.clear();
		this.prompts.clear();
		this.calls = 0;
	}

	/**
	 * Say a text.
	 */
	ScriptedChatModel says(String text) {
		this.script.add(new AssistantMessage(text));
		return this;
	}

	/**
	 * Call one tool. Its id is "call-" and the number of the call.
	 */
	ScriptedChatModel calls(String tool, String arguments) {
		return calls(call(tool, arguments));
	}

	/**
	 * Call tools in one message.
	 */
	ScriptedChatModel calls(AssistantMessage.ToolCall... batch) {
		this.script.add(AssistantMessage.builder().content("").toolCalls(Arrays.asList(batch)).build());
		return this;
	}

	AssistantMessage.ToolCall call(String tool, String arguments) {
		return new AssistantMessage.ToolCall("call-" + ++this.calls, "function", tool, arguments);
	}

	/**
	 * What the model was asked.
	 */
	List<Prompt> prompts() {
		return List.copyOf(this.prompts);
	}

	/**
	 * What the tools replied that the model called last.
	 */
	List<String> replies() {
		List<ToolResponseMessage> messages = prompts().stream()
			.flatMap((prompt) -> prompt.getInstructions().stream())
			.filter(ToolResponseMessage.class::isInstance)
			.map(ToolResponseMessage.class::cast)
			.toList();
		return (messages.isEmpty()) ? List.of()
				: messages.get(messages.size() - 1)
					.getResponses()
					.stream()
					.map(ToolResponseMessage.ToolResponse::responseData)
					.toList();
	}

	@Override
	public ChatOptions getOptions() {
		return ToolCallingChatOptions.builder().build();
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		return Objects.requireNonNull(observation(prompt, false).observe(() -> next(prompt)));
	}

	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.deferContextual((context) -> {
			Observation observation = observation(prompt, true);
			Observation parent = context.getOrDefault(ObservationThreadLocalAccessor.KEY, null);
			observation.parentObservation(parent);
			observation.start();
			return Flux.just(next(prompt)).publishOn(Schedulers.parallel()).doFinally((signal) -> observation.stop());
		});
	}

	/**
	 * The next message, not observed.
	 */
	ChatResponse next(Prompt prompt) {
		this.prompts.add(prompt);
		AssistantMessage message = this.script.poll();
		return new ChatResponse(List.of(new Generation((message != null) ? message : new AssistantMessage("done"),
				ChatGenerationMetadata.builder().finishReason("stop").build())));
	}

	private Observation observation(Prompt prompt, boolean streaming) {
		DefaultChatModelObservationConvention convention = new DefaultChatModelObservationConvention();
		return ChatModelObservationDocumentation.CHAT_MODEL_OPERATION.observation(null, convention,
				() -> ChatModelObservationContext.builder()
					.prompt(prompt)
					.provider("scripted")
					.streaming(streaming)
					.build(),
				this.observations.get());
	}

}
