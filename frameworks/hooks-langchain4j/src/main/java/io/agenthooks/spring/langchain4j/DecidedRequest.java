package io.agenthooks.spring.langchain4j;

import java.util.function.Supplier;

import dev.langchain4j.model.chat.request.ChatRequest;
import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmHookChain;

/**
 * A question that hooks have approved, while the model is asked. A model that an AI
 * service asks may lead to a bean that is guarded, too: by this the question is decided
 * once. Another question is decided for itself.
 */
record DecidedRequest(LlmHookChain chain, ChatRequest request) {

	private static final ThreadLocal<@Nullable DecidedRequest> ofThread = new ThreadLocal<>();

	static boolean isOfThread(LlmHookChain chain, @Nullable Object asked) {
		DecidedRequest decided = ofThread.get();
		return decided != null && decided.chain == chain && decided.request.equals(asked);
	}

	<T extends @Nullable Object> T ask(Supplier<T> model) {
		DecidedRequest around = ofThread.get();
		ofThread.set(this);
		try {
			return model.get();
		}
		finally {
			if (around != null) {
				ofThread.set(around);
			}
			else {
				ofThread.remove();
			}
		}
	}

}
