package io.agenthooks.spring.langchain4j;

import java.lang.ref.WeakReference;

import dev.langchain4j.model.chat.request.ChatRequest;
import org.jspecify.annotations.Nullable;

/**
 * Which invocation is about to ask a model on this thread: LangChain4j does not tell
 * models. It keeps nothing alive.
 */
record IssuedPrompt(WeakReference<ChatRequest> prompt, WeakReference<AiServiceInvocation> invocation) {

	private static final ThreadLocal<IssuedPrompt> issued = new ThreadLocal<>();

	static void issue(ChatRequest prompt, AiServiceInvocation invocation) {
		issued.set(new IssuedPrompt(new WeakReference<>(prompt), new WeakReference<>(invocation)));
	}

	/** {@code null} if it is no AI service, or it is not guarded. */
	static @Nullable AiServiceInvocation invocationOf(ChatRequest prompt) {
		IssuedPrompt last = issued.get();
		return (last != null && last.prompt().refersTo(prompt)) ? last.invocation().get() : null;
	}

	static void forget() {
		issued.remove();
	}

}
