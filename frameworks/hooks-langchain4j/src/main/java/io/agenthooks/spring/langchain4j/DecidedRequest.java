package io.agenthooks.spring.langchain4j;

import java.util.function.Supplier;

import dev.langchain4j.model.chat.request.ChatRequest;
import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmHookChain;

/**
 * An approved question, while the model is asked. That of an AI service may lead to a
 * guarded bean: by this the question is decided once, but another one for itself.
 */
record DecidedRequest(LlmHookChain chain, ChatRequest request) {

	private static final ThreadLocal<@Nullable DecidedRequest> ofThread = new ThreadLocal<>();

	static boolean isOfThread(LlmHookChain chain, @Nullable Object asked) {
		DecidedRequest decided = ofThread.get();
		return decided != null && decided.chain == chain && decided.request.equals(asked);
	}

	<T extends @Nullable Object> T ask(Supplier<T> model) {
		return during(this, model);
	}

	/**
	 * A model may answer on the thread that asks, and who asks again asks another
	 * question, even an equal one.
	 */
	static void tell(Runnable listener) {
		Object unused = DecidedRequest.<@Nullable Object>during(null, () -> {
			listener.run();
			return null;
		});
	}

	private static <T extends @Nullable Object> T during(@Nullable DecidedRequest decided, Supplier<T> work) {
		DecidedRequest around = ofThread.get();
		set(decided);
		try {
			return work.get();
		}
		finally {
			set(around);
		}
	}

	private static void set(@Nullable DecidedRequest decided) {
		if (decided != null) {
			ofThread.set(decided);
		}
		else {
			ofThread.remove();
		}
	}

}
