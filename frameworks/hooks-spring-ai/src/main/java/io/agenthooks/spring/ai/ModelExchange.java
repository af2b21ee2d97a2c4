package io.agenthooks.spring.ai;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.spring.CallContextCustomizer;

/** One question of a client to its model and the answer, in both worlds of types. */
final class ModelExchange {

	private final ChatClientRequest request;

	private final PromptExchange exchange;

	private volatile @Nullable ChatClientResponse received;

	private ModelExchange(ChatClientRequest request, PromptExchange exchange) {
		this.request = request;
		this.exchange = exchange;
	}

	static ModelExchange of(ChatClientRequest request, ClientRun run, List<CallContextCustomizer> customizers,
			LlmHookChain hooks) {
		CallContext context = run.customize(request, customizers);
		Prompt prompt = request.prompt();
		return new ModelExchange(request, new PromptExchange(prompt, prompt.getOptions(), context,
				() -> hooks.getRefusalText().in(run.locale())));
	}

	LlmCall call() {
		return this.exchange.call();
	}

	ChatClientRequest requestOf(LlmCall decided) {
		Prompt prompt = this.exchange.promptOf(decided);
		return (prompt.equals(this.request.prompt())) ? this.request
				: ChatClientRequest.builder().prompt(prompt).context(this.request.context()).build();
	}

	LlmResponse receive(ChatClientResponse response) {
		this.received = response;
		return this.exchange.receive(response.chatResponse());
	}

	Flux<ChatClientResponse> show(Flux<ChatClientResponse> parts, LlmCallInProgress progress) {
		return this.exchange.show(parts, progress, (response) -> Flux.just(replyOf(response)));
	}

	boolean isUntouched(LlmResponse decided) {
		return this.exchange.isUntouched(decided);
	}

	ChatClientResponse replyOf(LlmResponse decided) {
		ChatClientResponse response = this.received;
		return (response != null && isUntouched(decided)) ? response : reply(this.exchange.replyOf(decided));
	}

	ChatClientResponse replyOf(LlmCallAbortedException abortion) {
		return reply(this.exchange.replyOf(abortion));
	}

	private ChatClientResponse reply(@Nullable ChatResponse reply) {
		ChatClientResponse response = this.received;
		return ChatClientResponse.builder()
			.chatResponse(reply)
			.context((response != null) ? response.context() : this.request.context())
			.build();
	}

}
