package io.agenthooks.spring.ai;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.spring.CallContextCustomizer;

/**
 * One question of a {@code ChatClient} to its model and the answer, in the types of
 * Spring AI and in those of the hooks.
 */
final class ModelExchange {

	private final ChatClientRequest request;

	private final LlmCall call;

	private volatile @Nullable ChatClientResponse received;

	private volatile LlmResponse shown = ModelResponses.forHooks(null);

	private ModelExchange(ChatClientRequest request, LlmCall call) {
		this.request = request;
		this.call = call;
	}

	/**
	 * A question that is asked in a run. If the client began none, it is one of its own,
	 * so that an abort does not end the whole conversation.
	 */
	static ModelExchange of(ChatClientRequest request, ClientRun run, List<CallContextCustomizer> customizers) {
		CallContext context = run.customize(request, customizers);
		Prompt prompt = request.prompt();
		ChatOptions options = prompt.getOptions();
		return new ModelExchange(request,
				new LlmCall(UUID.randomUUID().toString(), PromptMessages.forHooks(prompt.getInstructions()),
						(options != null) ? options.getModel() : null, PromptOptions.forHooks(options),
						toolsOf(options), context));
	}

	private static List<String> toolsOf(@Nullable ChatOptions options) {
		return (options instanceof ToolCallingChatOptions calling && calling.getToolCallbacks() != null)
				? calling.getToolCallbacks().stream().map((tool) -> tool.getToolDefinition().name()).toList()
				: List.of();
	}

	LlmCall call() {
		return this.call;
	}

	/**
	 * The question as the hooks left it.
	 */
	ChatClientRequest requestOf(LlmCall decided) {
		if (decided.equals(this.call)) {
			return this.request;
		}
		ChatOptions options = PromptOptions.fromHooks(this.request.prompt().getOptions(), this.call, decided);
		return ChatClientRequest.builder()
			.prompt(new Prompt(PromptMessages.fromHooks(decided.messages()), options))
			.context(this.request.context())
			.build();
	}

	/**
	 * Take the answer of the model.
	 * @return the answer as hooks see it
	 */
	LlmResponse receive(ChatClientResponse response) {
		this.received = response;
		this.shown = ModelResponses.forHooks(response.chatResponse());
		return this.shown;
	}

	LlmResponse shown() {
		return this.shown;
	}

	/**
	 * Whether the hooks left the answer of the model as it is.
	 */
	boolean isUntouched(LlmResponse decided) {
		return this.received != null && decided.equals(this.shown);
	}

	/**
	 * What the agent gets: the answer as the hooks left it.
	 */
	ChatClientResponse replyOf(LlmResponse decided) {
		ChatClientResponse response = this.received;
		if (response != null && isUntouched(decided)) {
			return response;
		}
		return reply(ModelResponses.fromHooks(decided, answered()));
	}

	/**
	 * What the agent gets if a hook ended its turn.
	 * @throws LlmCallAbortedException if the hook ended the run
	 */
	ChatClientResponse replyOf(LlmCallAbortedException abortion) {
		if (abortion.getScope() != AbortScope.TURN) {
			throw abortion;
		}
		return reply(ModelResponses.aborted(abortion, answered()));
	}

	private @Nullable ChatResponse answered() {
		ChatClientResponse response = this.received;
		return (response != null) ? response.chatResponse() : null;
	}

	private ChatClientResponse reply(ChatResponse reply) {
		ChatClientResponse response = this.received;
		return ChatClientResponse.builder()
			.chatResponse(reply)
			.context((response != null) ? response.context() : this.request.context())
			.build();
	}

}
