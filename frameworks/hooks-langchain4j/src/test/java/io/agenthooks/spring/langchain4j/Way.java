package io.agenthooks.spring.langchain4j;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;

/**
 * The ways in which an AI service can be asked. What hooks decide holds in all of them.
 */
enum Way {

	SYNC(false, false), STREAMING(true, false), CONCURRENT(false, true), STREAMING_CONCURRENT(true, true);

	private final boolean streaming;

	private final boolean concurrent;

	Way(boolean streaming, boolean concurrent) {
		this.streaming = streaming;
		this.concurrent = concurrent;
	}

	/**
	 * A service, to which tools may be added.
	 */
	AiServices<Assistant> service(ScriptedModel model) {
		return service(model, model.streaming());
	}

	AiServices<Assistant> service(ChatModel model, StreamingChatModel streamingModel) {
		AiServices<Assistant> service = AiServices.builder(Assistant.class)
			.chatModel(model)
			.streamingChatModel(streamingModel)
			.chatMemoryProvider((id) -> MessageWindowChatMemory.withMaxMessages(100));
		return (this.concurrent) ? service.executeToolsConcurrently() : service;
	}

	/**
	 * Ask and wait for the answer.
	 */
	String ask(Assistant assistant, String session) {
		return ask(assistant, session, "Go");
	}

	/**
	 * Ask for something and wait for the answer.
	 */
	String ask(Assistant assistant, String session, String text) {
		return (this.streaming) ? join(assistant.stream(session, text)) : assistant.chat(session, text);
	}

	private static String join(TokenStream stream) {
		CompletableFuture<String> answer = new CompletableFuture<>();
		stream.onPartialResponse((text) -> {
		})
			.onCompleteResponse((response) -> answer.complete(response.aiMessage().text()))
			.onError(answer::completeExceptionally)
			.start();
		try {
			return answer.get(60, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	interface Assistant {

		String chat(@MemoryId String session, @UserMessage String text);

		TokenStream stream(@MemoryId String session, @UserMessage String text);

	}

}
