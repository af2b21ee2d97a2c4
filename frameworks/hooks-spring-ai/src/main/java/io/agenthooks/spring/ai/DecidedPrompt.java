package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.util.StringUtils;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

import io.agenthooks.llmcall.LlmHookChain;

/**
 * A question that hooks have approved, while the model is asked: also through guarded
 * clients and beans it is decided once. Other texts, or a model of another name, are
 * another question.
 *
 * @param format what Spring AI writes behind the prompt after all advisors, or
 * {@code null}
 */
record DecidedPrompt(LlmHookChain chain, Prompt prompt, @Nullable String format) {

	private static final ThreadValue<DecidedPrompt> ofThread = new ThreadValue<>();

	/** The prompts that streams ask. */
	private static final List<DecidedPrompt> underWay = new CopyOnWriteArrayList<>();

	static boolean isOfThread(LlmHookChain chain, Prompt asked) {
		DecidedPrompt decided = ofThread.get();
		return decided != null && decided.covers(chain, asked);
	}

	boolean covers(LlmHookChain chain, Prompt asked) {
		return this.chain == chain && (asked.equals(this.prompt)
				|| (Objects.equals(modelOf(asked), modelOf(this.prompt)) && isSaid(asked)));
	}

	private static @Nullable String modelOf(Prompt prompt) {
		ChatOptions options = prompt.getOptions();
		return (options != null) ? options.getModel() : null;
	}

	private boolean isSaid(Prompt asked) {
		List<Message> messages = asked.getInstructions();
		return messages.equals(this.prompt.getInstructions())
				|| (StringUtils.hasText(this.format) && messages.equals(formatted().getInstructions()));
	}

	private Prompt formatted() {
		return this.prompt.augmentUserMessage(
				(user) -> user.mutate().text(user.getText() + System.lineSeparator() + this.format).build());
	}

	static boolean isIn(ContextView context, LlmHookChain chain, Prompt asked) {
		DecidedPrompt decided = context.getOrDefault(DecidedPrompt.class, null);
		return decided != null && decided.covers(chain, asked);
	}

	/**
	 * Whether some hooks approved a prompt that this thread, or a stream, asks just now.
	 */
	static boolean isBeingAsked(Prompt asked) {
		return ofThread.get() != null || underWay.stream()
			.anyMatch((decided) -> decided.prompt.getInstructions().equals(asked.getInstructions()));
	}

	<T> Flux<T> ask(Flux<T> model) {
		Flux<T> asked = model.contextWrite((context) -> context.put(DecidedPrompt.class, this));
		return ofThread.during(this, asked)
			.doOnSubscribe((subscription) -> underWay.add(this))
			.doFinally((signal) -> underWay.remove(this));
	}

	<T extends @Nullable Object> T ask(Supplier<T> model) {
		return ofThread.during(this, model);
	}

}
