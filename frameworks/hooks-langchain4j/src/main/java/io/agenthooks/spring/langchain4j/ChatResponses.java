package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.ChatResponseMetadata;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.LlmUsage;

final class ChatResponses {

	private ChatResponses() {
	}

	static LlmResponse forHooks(ChatResponse response) {
		AiMessage message = response.aiMessage();
		return new LlmResponse(ChatMessages.orEmpty(message.text()),
				toolCalls(message).map(ChatResponses::forHooks).toList(),
				(response.finishReason() != null) ? response.finishReason().name() : null,
				usageOf(response.tokenUsage()), response.modelName(), response);
	}

	/**
	 * A changed response has nothing else of the model's, which may repeat what hooks
	 * took out.
	 */
	static ChatResponse fromHooks(LlmResponse response, Supplier<String> refusal) {
		LlmResponse decided = (response.isRefusal()) ? response.withText(refusal.get()) : response;
		ChatResponse answered = (decided.source() instanceof ChatResponse source) ? source : null;
		LlmResponse shown = (answered != null) ? forHooks(answered) : null;
		if (answered == null || shown == null) {
			return ChatResponse.builder()
				.aiMessage(AiMessage.builder()
					.text(decided.text())
					.toolExecutionRequests(decided.toolCalls().stream().map(ChatResponses::fromHooks).toList())
					.build())
				.metadata(metadata(null, decided.model(), tokens(decided.usage()), decided.finishReason()))
				.build();
		}
		if (decided.equals(shown)) {
			return answered;
		}
		AiMessage message = (decided.text().equals(shown.text())) ? answered.aiMessage()
				: ChatMessages.withText(answered.aiMessage(), decided.text());
		if (!decided.toolCalls().equals(shown.toolCalls())) {
			message = message.toBuilder().toolExecutionRequests(toolCalls(decided, message)).build();
		}
		TokenUsage usage = Objects.equals(decided.usage(), shown.usage()) ? answered.tokenUsage()
				: tokens(decided.usage());
		return ChatResponse.builder()
			.aiMessage(message)
			.metadata(metadata(answered.id(), decided.model(), usage, decided.finishReason()))
			.build();
	}

	/** LangChain4j ends a turn at a message that asks for no tool. */
	static ChatResponse aborted(String refusal) {
		return ChatResponse.builder().aiMessage(AiMessage.from(refusal)).finishReason(FinishReason.OTHER).build();
	}

	static @Nullable LlmUsage usageOf(@Nullable TokenUsage usage) {
		return (usage != null) ? new LlmUsage(count(usage.inputTokenCount()), count(usage.outputTokenCount())) : null;
	}

	private static int count(@Nullable Integer tokens) {
		return (tokens != null) ? tokens : 0;
	}

	private static @Nullable TokenUsage tokens(@Nullable LlmUsage usage) {
		return (usage != null)
				? new TokenUsage(Math.toIntExact(usage.inputTokens()), Math.toIntExact(usage.outputTokens())) : null;
	}

	private static ChatResponseMetadata metadata(@Nullable String id, @Nullable String model,
			@Nullable TokenUsage usage, @Nullable String finishReason) {
		return ChatResponseMetadata.builder()
			.id(id)
			.modelName(model)
			.tokenUsage(usage)
			.finishReason((finishReason != null) ? reason(finishReason) : null)
			.build();
	}

	private static FinishReason reason(String name) {
		return Stream.of(FinishReason.values())
			.filter((reason) -> reason.name().equals(name))
			.findFirst()
			.orElse(FinishReason.OTHER);
	}

	private static Stream<ToolExecutionRequest> toolCalls(AiMessage message) {
		return (message.toolExecutionRequests() != null) ? message.toolExecutionRequests().stream() : Stream.empty();
	}

	private static List<ToolExecutionRequest> toolCalls(LlmResponse decided, AiMessage message) {
		return decided.toolCalls()
			.stream()
			.map((call) -> toolCalls(message).filter((candidate) -> forHooks(candidate).equals(call))
				.findFirst()
				.orElseGet(() -> fromHooks(call)))
			.toList();
	}

	private static LlmToolCall forHooks(ToolExecutionRequest call) {
		return new LlmToolCall(ChatMessages.orEmpty(call.id()), ChatMessages.orEmpty(call.name()),
				ChatMessages.orEmpty(call.arguments()));
	}

	private static ToolExecutionRequest fromHooks(LlmToolCall call) {
		return ToolExecutionRequest.builder().id(call.id()).name(call.name()).arguments(call.arguments()).build();
	}

}
