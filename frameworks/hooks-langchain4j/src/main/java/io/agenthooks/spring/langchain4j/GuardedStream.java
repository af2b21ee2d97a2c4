package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import io.agenthooks.AbortScope;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmResponse;

/**
 * If a hook may replace the response, the listener gets no part of it before it is
 * complete.
 */
record GuardedStream(LlmCallInProgress call, boolean collecting, StreamingChatResponseHandler listener,
		@Nullable AiServiceInvocation invocation, Supplier<String> refusal) implements StreamingChatResponseHandler {

	@Override
	public void onPartialResponse(String partialResponse) {
		tellAtOnce(() -> this.listener.onPartialResponse(partialResponse));
	}

	@Override
	public void onPartialResponse(PartialResponse partialResponse, PartialResponseContext context) {
		tellAtOnce(() -> this.listener.onPartialResponse(partialResponse,
				new PartialResponseContext(cancelling(context.streamingHandle()))));
	}

	@Override
	public void onPartialThinking(PartialThinking partialThinking) {
		tellAtOnce(() -> this.listener.onPartialThinking(partialThinking));
	}

	@Override
	public void onPartialThinking(PartialThinking partialThinking, PartialThinkingContext context) {
		tellAtOnce(() -> this.listener.onPartialThinking(partialThinking,
				new PartialThinkingContext(cancelling(context.streamingHandle()))));
	}

	@Override
	public void onPartialToolCall(PartialToolCall partialToolCall) {
		tellAtOnce(() -> this.listener.onPartialToolCall(partialToolCall));
	}

	@Override
	public void onPartialToolCall(PartialToolCall partialToolCall, PartialToolCallContext context) {
		tellAtOnce(() -> this.listener.onPartialToolCall(partialToolCall,
				new PartialToolCallContext(cancelling(context.streamingHandle()))));
	}

	@Override
	public void onCompleteToolCall(CompleteToolCall completeToolCall) {
		tellAtOnce(() -> this.listener.onCompleteToolCall(completeToolCall));
	}

	@Override
	public void onUnmappedRawEvent(Object rawEvent) {
		tellAtOnce(() -> this.listener.onUnmappedRawEvent(rawEvent));
	}

	private void tellAtOnce(Runnable part) {
		if (!this.collecting) {
			DecidedRequest.tell(part);
		}
	}

	/** A model that was cancelled says nothing more, so this is the end. */
	private StreamingHandle cancelling(StreamingHandle handle) {
		return new StreamingHandle() {

			@Override
			public void cancel() {
				handle.cancel();
				GuardedStream.this.call.cancel();
				if (GuardedStream.this.invocation != null) {
					GuardedStream.this.invocation.cancel();
				}
			}

			@Override
			public boolean isCancelled() {
				return handle.isCancelled();
			}

		};
	}

	@Override
	public void onCompleteResponse(ChatResponse completeResponse) {
		LlmResponse decided;
		try {
			decided = this.call.finish(ChatResponses.forHooks(completeResponse));
		}
		catch (LlmCallAbortedException ex) {
			DecidedRequest.tell(() -> abort(ex, this.refusal, this.listener));
			return;
		}
		catch (CancellationException ex) {
			// The listener was told of the end already.
			return;
		}
		ChatResponse response = ChatResponses.fromHooks(decided, this.refusal);
		DecidedRequest.tell(() -> {
			if (this.collecting) {
				say(response, this.listener);
			}
			this.listener.onCompleteResponse(response);
		});
	}

	@Override
	public void onError(Throwable error) {
		this.call.fail(error);
		if (this.invocation != null) {
			// LangChain4j reports no error if the application ignores errors.
			this.invocation.fail(error);
		}
		DecidedRequest.tell(() -> this.listener.onError(error));
	}

	/** Failures of the listener go where LangChain4j's models send them. */
	static void deliver(ChatResponse response, StreamingChatResponseHandler listener) {
		try {
			say(response, listener);
			listener.onCompleteResponse(response);
		}
		catch (Exception ex) {
			listener.onError(ex);
		}
	}

	private static void say(ChatResponse response, StreamingChatResponseHandler listener) {
		AiMessage message = response.aiMessage();
		if (StringUtils.hasLength(message.text())) {
			listener.onPartialResponse(message.text());
		}
		List<ToolExecutionRequest> calls = message.toolExecutionRequests();
		for (int i = 0; message.hasToolExecutionRequests() && i < calls.size(); i++) {
			listener.onCompleteToolCall(new CompleteToolCall(i, calls.get(i)));
		}
	}

	static void abort(LlmCallAbortedException abortion, Supplier<String> refusal,
			StreamingChatResponseHandler listener) {
		if (abortion.getScope() == AbortScope.TURN) {
			deliver(ChatResponses.aborted(refusal.get()), listener);
		}
		else {
			listener.onError(abortion);
		}
	}

}
