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
		return during(this, model);
	}

	/**
	 * Tell somebody of the answer. A model may answer on the thread that asks it, and
	 * whoever asks again then asks another question, even an equal one.
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
