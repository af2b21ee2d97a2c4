package io.agenthooks.spring.langchain4j;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.TokenUsage;

import io.agenthooks.spring.arguments.ToolArguments;

/**
 * A model that says what it was told to, and remembers what it was asked. Streaming, it
 * speaks on a thread of its own, as models do.
 */
public class ScriptedModel implements ChatModel {

	private final Deque<AiMessage> script;

	private final List<ChatRequest> requests = new CopyOnWriteArrayList<>();

	ScriptedModel(List<AiMessage> script) {
		this.script = new ArrayDeque<>(script);
	}

	/**
	 * A model that asks for these calls, if there are any, all at once, and then says
	 * "Done".
	 */
	public static ScriptedModel thatCalls(ToolExecutionRequest... calls) {
		return inRounds((calls.length > 0) ? List.of(List.of(calls)) : List.of());
	}

	/**
	 * A model that asks for one batch of calls after the other, and then says "Done".
	 */
	static ScriptedModel inRounds(List<List<ToolExecutionRequest>> rounds) {
		return new ScriptedModel(
				Stream.concat(rounds.stream().map(AiMessage::from), Stream.of(AiMessage.from("Done"))).toList());
	}

	/**
	 * A call of a tool.
	 */
	public static ToolExecutionRequest call(String tool, Map<String, ?> arguments) {
		return call("call-" + arguments.values(), tool, ToolArguments.write(arguments));
	}

	static ToolExecutionRequest call(String id, String tool, String arguments) {
		return ToolExecutionRequest.builder().id(id).name(tool).arguments(arguments).build();
	}

	@Override
	public ChatResponse doChat(ChatRequest request) {
		return response(next(request));
	}

	private static ChatResponse response(AiMessage message) {
		return ChatResponse.builder().aiMessage(message).tokenUsage(new TokenUsage(1, 1)).build();
	}

	private synchronized AiMessage next(ChatRequest request) {
		this.requests.add(request);
		return this.script.removeFirst();
	}

	/**
	 * How often the model was asked.
	 */
	int timesAsked() {
		return this.requests.size();
	}

	/**
	 * What the model was asked, one after the other.
	 */
	List<ChatRequest> requests() {
		return this.requests;
	}

	/**
	 * What the model read of tools the last time it was asked.
	 */
	public List<ToolExecutionResultMessage> results() {
		return this.requests.get(this.requests.size() - 1)
			.messages()
			.stream()
			.filter(ToolExecutionResultMessage.class::isInstance)
			.map(ToolExecutionResultMessage.class::cast)
			.toList();
	}

	/**
	 * The same model, streaming.
	 */
	StreamingChatModel streaming() {
		return new StreamingChatModel() {

			@Override
			public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
				Thread speaker = new Thread(() -> speak(next(request), handler), "model");
				speaker.setDaemon(true);
				speaker.start();
			}

		};
	}

	private static void speak(AiMessage message, StreamingChatResponseHandler handler) {
		try {
			if (message.text() != null) {
				handler.onPartialResponse(message.text());
			}
			List<ToolExecutionRequest> calls = message.toolExecutionRequests();
			IntStream.range(0, calls.size())
				.forEach((i) -> handler.onCompleteToolCall(new CompleteToolCall(i, calls.get(i))));
			handler.onCompleteResponse(response(message));
		}
		catch (Throwable ex) {
			handler.onError(ex);
		}
	}

}
