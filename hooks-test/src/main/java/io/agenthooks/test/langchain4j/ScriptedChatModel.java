package io.agenthooks.test.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A model of LangChain4j that gives the replies of a script, one after the other, and
 * remembers what it was asked: <pre class="code">
 * ScriptedChatModel model = new ScriptedChatModel()
 *     .calls("delete_file", Map.of("path", "/etc/passwd"))
 *     .says("That is not allowed");
 * Assistant assistant = AiServices.builder(Assistant.class).chatModel(model).tools(tools).build();
 * assistant.chat("Clean up");
 * assertThat(model.toolResults()).singleElement().asString().contains("denies");
 * </pre>
 * <p>
 * {@link #streaming()} is the same model for AI services that stream. A call for which
 * the script has no reply fails. It is safe for use by many threads.
 *
 * @since 0.1.0
 */
public class ScriptedChatModel implements ChatModel {

	private final Queue<Supplier<ChatResponse>> script = new ConcurrentLinkedQueue<>();

	private final List<ChatRequest> requests = new CopyOnWriteArrayList<>();

	private final AtomicInteger toolCalls = new AtomicInteger();

	/**
	 * Reply with a text.
	 * @param text the text
	 * @return this model
	 */
	public ScriptedChatModel says(String text) {
		return replies(response(AiMessage.from(text), FinishReason.STOP));
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
	public ScriptedChatModel calls(ToolExecutionRequest... calls) {
		return replies(response(AiMessage.from(List.of(calls)), FinishReason.TOOL_EXECUTION));
	}

	/**
	 * A call of a tool, for {@link #calls(ToolExecutionRequest...)}.
	 * @param tool the name of the tool
	 * @param arguments the arguments as a model writes them
	 * @return the call, with the next id
	 */
	public ToolExecutionRequest toolCall(String tool, String arguments) {
		return ToolExecutionRequest.builder()
			.id("call-" + this.toolCalls.incrementAndGet())
			.name(tool)
			.arguments(arguments)
			.build();
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
	 * @return the requests so far, in order
	 */
	public List<ChatRequest> requests() {
		return List.copyOf(this.requests);
	}

	/**
	 * Return the texts of tools that the model read last: their results, or why hooks
	 * denied the calls.
	 * @return the results of the last batch of calls; none if there was no call yet
	 */
	public List<String> toolResults() {
		List<ChatRequest> requests = requests();
		List<ChatMessage> messages = (requests.isEmpty()) ? List.of() : requests.get(requests.size() - 1).messages();
		int last = messages.size();
		while (last > 0 && !(messages.get(last - 1) instanceof ToolExecutionResultMessage)) {
			last--;
		}
		int first = last;
		while (first > 0 && messages.get(first - 1) instanceof ToolExecutionResultMessage) {
			first--;
		}
		return messages.subList(first, last)
			.stream()
			.map((message) -> ((ToolExecutionResultMessage) message).text())
			.toList();
	}

	/**
	 * The number of replies that are left.
	 * @return zero if the script was played to its end
	 */
	public int repliesLeft() {
		return this.script.size();
	}

	@Override
	public ChatResponse doChat(ChatRequest request) {
		this.requests.add(request);
		Supplier<ChatResponse> reply = this.script.poll();
		if (reply == null) {
			throw new IllegalStateException(
					"The script has no reply to call %d of the model. Add one by says(..) or calls(..)."
						.formatted(this.requests.size()));
		}
		return reply.get();
	}

	/**
	 * The same model for those that stream: it plays the same script, word by word, on a
	 * thread of its own as models do.
	 * @return the streaming model
	 */
	public StreamingChatModel streaming() {
		return new StreamingChatModel() {

			@Override
			public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
				Thread speaker = new Thread(() -> speak(request, handler), "scripted-model");
				speaker.setDaemon(true);
				speaker.start();
			}

		};
	}

	private void speak(ChatRequest request, StreamingChatResponseHandler handler) {
		try {
			ChatResponse response = doChat(request);
			AiMessage message = response.aiMessage();
			if (message.text() != null) {
				for (String word : message.text().split("(?<= )", -1)) {
					if (!word.isEmpty()) {
						handler.onPartialResponse(word);
					}
				}
			}
			List<ToolExecutionRequest> calls = message.toolExecutionRequests();
			for (int i = 0; i < calls.size(); i++) {
				handler.onCompleteToolCall(new CompleteToolCall(i, calls.get(i)));
			}
			handler.onCompleteResponse(response);
		}
		catch (Throwable ex) {
			handler.onError(ex);
		}
	}

	private static ChatResponse response(AiMessage message, FinishReason finishReason) {
		return ChatResponse.builder().aiMessage(message).finishReason(finishReason).build();
	}

}
