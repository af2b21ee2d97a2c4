package io.agenthooks.test.ai;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import reactor.core.publisher.Flux;
import tools.jackson.databind.json.JsonMapper;

/**
 * A model of Spring AI that gives the replies of a script, one after the other, and
 * remembers what it was asked: <pre class="code">
 * ScriptedChatModel model = new ScriptedChatModel()
 *     .calls("delete_file", Map.of("path", "/etc/passwd"))
 *     .says("That is not allowed");
 * ChatClient client = builder.build();  // of the application, with this model as a bean
 * client.prompt("Clean up").call().content();
 * assertThat(model.toolResults()).singleElement().asString().contains("denies");
 * </pre>
 * <p>
 * It streams the same replies, word by word. A call for which the script has no reply
 * fails. It is safe for use by many threads.
 *
 * @since 0.1.0
 */
public class ScriptedChatModel implements ChatModel {

	private final Queue<Supplier<ChatResponse>> script = new ConcurrentLinkedQueue<>();

	private final List<Prompt> prompts = new CopyOnWriteArrayList<>();

	private final AtomicInteger toolCalls = new AtomicInteger();

	/**
	 * Reply with a text.
	 * @param text the text
	 * @return this model
	 */
	public ScriptedChatModel says(String text) {
		return replies(response(new AssistantMessage(text), "stop"));
	}

	/**
	 * Reply with a call of a tool. Its id is {@code call-} and its number.
	 * @param tool the name of the tool
	 * @param arguments the arguments by name
	 * @return this model
	 */
	public ScriptedChatModel calls(String tool, Map<String, ? extends @Nullable Object> arguments) {
		return calls(toolCall(tool, JsonMapper.shared().writeValueAsString(arguments)));
	}

	/**
	 * Reply with a call of a tool. Its id is {@code call-} and its number.
	 * @param tool the name of the tool
	 * @param arguments the arguments as a model writes them: JSON, or what it takes for
	 * it
	 * @return this model
	 */
	public ScriptedChatModel calls(String tool, String arguments) {
		return calls(toolCall(tool, arguments));
	}

	/**
	 * Reply with several calls of tools at once.
	 * @param calls the calls, perhaps of {@link #toolCall(String, String)}
	 * @return this model
	 */
	public ScriptedChatModel calls(AssistantMessage.ToolCall... calls) {
		return replies(
				response(AssistantMessage.builder().content("").toolCalls(List.of(calls)).build(), "tool_calls"));
	}

	/**
	 * A call of a tool, for {@link #calls(AssistantMessage.ToolCall...)}.
	 * @param tool the name of the tool
	 * @param arguments the arguments as a model writes them
	 * @return the call, with the next id
	 */
	public AssistantMessage.ToolCall toolCall(String tool, String arguments) {
		return new AssistantMessage.ToolCall("call-" + this.toolCalls.incrementAndGet(), "function", tool, arguments);
	}

	/**
	 * Reply with a response of your own.
	 * @param response the response
	 * @return this model
	 */
	public ScriptedChatModel replies(ChatResponse response) {
		Objects.requireNonNull(response, "'response' must not be null");
		this.script.add(() -> response);
		return this;
	}

	/**
	 * Fail once.
	 * @param failure what the call throws, or the stream ends with
	 * @return this model
	 */
	public ScriptedChatModel fails(RuntimeException failure) {
		Objects.requireNonNull(failure, "'failure' must not be null");
		this.script.add(() -> {
			throw failure;
		});
		return this;
	}

	/**
	 * Return the questions to the model.
	 * @return the prompts so far, in order
	 */
	public List<Prompt> prompts() {
		return List.copyOf(this.prompts);
	}

	/**
	 * Return the texts of tools that the model read last: their results, or why hooks
	 * denied the calls.
	 * @return the results of the last batch of calls; none if there was no call yet
	 */
	public List<String> toolResults() {
		List<String> results = List.of();
		for (Message message : lastPrompt()) {
			if (message instanceof ToolResponseMessage replies) {
				results = replies.getResponses().stream().map(ToolResponseMessage.ToolResponse::responseData).toList();
			}
		}
		return results;
	}

	private List<Message> lastPrompt() {
		List<Prompt> prompts = prompts();
		return (prompts.isEmpty()) ? List.of() : prompts.get(prompts.size() - 1).getInstructions();
	}

	/**
	 * The number of replies that are left.
	 * @return zero if the script was played to its end
	 */
	public int repliesLeft() {
		return this.script.size();
	}

	@Override
	public ChatOptions getOptions() {
		return ToolCallingChatOptions.builder().build();
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		this.prompts.add(prompt);
		Supplier<ChatResponse> reply = this.script.poll();
		if (reply == null) {
			throw new IllegalStateException(
					"The script has no reply to call %d of the model. Add one by says(..) or calls(..)."
						.formatted(this.prompts.size()));
		}
		return reply.get();
	}

	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> Flux.fromIterable(parts(call(prompt))));
	}

	/** A text word by word; everything else in one piece. */
	private static List<ChatResponse> parts(ChatResponse response) {
		Generation generation = response.getResult();
		AssistantMessage message = (generation != null) ? generation.getOutput() : null;
		if (generation == null || message == null || message.hasToolCalls() || response.getResults().size() > 1) {
			return List.of(response);
		}
		String[] words = Objects.requireNonNullElse(message.getText(), "").split("(?<= )", -1);
		return IntStream.range(0, words.length)
			.mapToObj((i) -> new ChatResponse(
					List.of(new Generation(new AssistantMessage(words[i]),
							(i == words.length - 1) ? generation.getMetadata() : ChatGenerationMetadata.NULL)),
					response.getMetadata()))
			.toList();
	}

	private static ChatResponse response(AssistantMessage message, String finishReason) {
		return new ChatResponse(
				List.of(new Generation(message, ChatGenerationMetadata.builder().finishReason(finishReason).build())));
	}

}
