package io.agenthooks.spring.ai;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.spring.external.AskedByHook;

/** One question to a model and the answer, in both worlds of types. */
final class PromptExchange {

	private final Prompt prompt;

	private final @Nullable ChatOptions options;

	private final LlmCall call;

	private final Supplier<String> refusal;

	private volatile @Nullable ChatResponse received;

	private volatile boolean answered;

	private volatile LlmResponse shown = ModelResponses.forHooks(null);

	PromptExchange(Prompt prompt, @Nullable ChatOptions options, CallContext context, Supplier<String> refusal) {
		this.refusal = refusal;
		this.prompt = prompt;
		this.options = options;
		this.call = new LlmCall(UniqueId.next(), PromptMessages.forHooks(prompt.getInstructions()),
				(options != null) ? options.getModel() : null, PromptOptions.forHooks(options), toolsOf(options),
				context);
	}

	private static List<String> toolsOf(@Nullable ChatOptions options) {
		return (options instanceof ToolCallingChatOptions calling && calling.getToolCallbacks() != null)
				? calling.getToolCallbacks().stream().map((tool) -> tool.getToolDefinition().name()).toList()
				: List.of();
	}

	LlmCall call() {
		return this.call;
	}

	Prompt promptOf(LlmCall decided) {
		return (decided.equals(this.call)) ? this.prompt : new Prompt(PromptMessages.fromHooks(decided.messages()),
				PromptOptions.fromHooks(this.options, this.call, decided));
	}

	LlmResponse receive(@Nullable ChatResponse response) {
		this.received = response;
		this.answered = true;
		this.shown = ModelResponses.forHooks(response);
		return this.shown;
	}

	<T> Flux<T> show(Flux<T> parts, LlmCallInProgress progress, Function<LlmResponse, Flux<T>> replies) {
		Flux<T> told = parts.onErrorResume((ex) -> StreamedPassage.failing(AskedByHook.failing(progress::fail), ex));
		Mono<LlmResponse> decided = StreamedPassage
			.blocking(() -> AskedByHook.execute(() -> progress.finish(this.shown)));
		if (!progress.hasResponseHooks()) {
			return told.concatWith(decided.then(Mono.empty()));
		}
		return told.collectList()
			.flatMapMany((collected) -> decided.flatMapMany(
					(response) -> (isUntouched(response)) ? Flux.fromIterable(collected) : replies.apply(response)));
	}

	boolean isUntouched(LlmResponse decided) {
		return this.answered && decided.equals(this.shown);
	}

	@Nullable ChatResponse replyOf(LlmResponse decided) {
		if (isUntouched(decided)) {
			return this.received;
		}
		return ModelResponses.fromHooks((decided.isRefusal()) ? decided.withText(this.refusal.get()) : decided,
				this.received);
	}

	ChatResponse replyOf(LlmCallAbortedException abortion) {
		if (abortion.getScope() != AbortScope.TURN) {
			throw abortion;
		}
		return ModelResponses.aborted(abortion, this.refusal.get(), this.received);
	}

}
