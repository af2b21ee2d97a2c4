package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.util.StringUtils;

import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.LlmUsage;

/** The responses of models as hooks see them, and back. */
final class ModelResponses {

	private static final LlmResponse NOTHING = new LlmResponse("", List.of(), null, null, null, null);

	private ModelResponses() {
	}

	/** Some models answer in several generations: hooks see what all of them say. */
	static LlmResponse forHooks(@Nullable ChatResponse response) {
		if (response == null) {
			return NOTHING;
		}
		String model = response.getMetadata().getModel();
		return new LlmResponse(textOf(response), toolCallsOf(response).stream().map(ModelResponses::forHooks).toList(),
				finishReasonOf(response), usageOf(response), (StringUtils.hasText(model)) ? model : null, response);
	}

	static ChatResponse fromHooks(LlmResponse decided, @Nullable ChatResponse answered) {
		Generation kept = (answered != null && answered.equals(decided.source())) ? answered.getResult() : null;
		AssistantMessage.Builder<?> message = AssistantMessage.builder().content(decided.text());
		if (kept != null) {
			message = (decided.text().equals(kept.getOutput().getText())) ? kept.getOutput().mutate()
					: PromptMessages.withText(kept.getOutput(), decided.text());
		}
		message.toolCalls(fromHooks(decided.toolCalls(), (answered != null) ? toolCallsOf(answered) : List.of()));
		return new ChatResponse(List.of(new Generation(message.build(), metadata(decided, kept))),
				metadata(decided.model(), decided.usage(), answered));
	}

	static ChatResponse aborted(LlmCallAbortedException abortion, String refusal, @Nullable ChatResponse answered) {
		return new ChatResponse(List.of(new Generation(new AssistantMessage(refusal),
				ChatGenerationMetadata.builder()
					.finishReason(LlmResponse.ABORTED_BY_HOOK)
					.metadata(AgentHooks.ABORTED_BY, abortion.getHook())
					.build())),
				metadata(null, null, answered));
	}

	static String textOf(ChatResponse response) {
		return response.getResults()
			.stream()
			.map((generation) -> generation.getOutput().getText())
			.filter(StringUtils::hasLength)
			.collect(Collectors.joining("\n"));
	}

	static @Nullable LlmUsage usageOf(ChatResponse response) {
		Usage usage = response.getMetadata().getUsage();
		if (usage == null) {
			return null;
		}
		LlmUsage counted = new LlmUsage(Objects.requireNonNullElse(usage.getPromptTokens(), 0),
				Objects.requireNonNullElse(usage.getCompletionTokens(), 0));
		return (counted.inputTokens() == 0 && counted.outputTokens() == 0) ? null : counted;
	}

	private static @Nullable String finishReasonOf(ChatResponse response) {
		return response.getResults()
			.stream()
			.map((generation) -> generation.getMetadata().getFinishReason())
			.filter(StringUtils::hasText)
			.findFirst()
			.orElse(null);
	}

	private static List<AssistantMessage.ToolCall> toolCallsOf(ChatResponse response) {
		return response.getResults()
			.stream()
			.flatMap((generation) -> generation.getOutput().getToolCalls().stream())
			.toList();
	}

	private static LlmToolCall forHooks(AssistantMessage.ToolCall call) {
		return new LlmToolCall(Objects.requireNonNullElse(call.id(), ""), Objects.requireNonNullElse(call.name(), ""),
				Objects.requireNonNullElse(call.arguments(), ""));
	}

	private static List<AssistantMessage.ToolCall> fromHooks(List<LlmToolCall> decided,
			List<AssistantMessage.ToolCall> answered) {
		List<AssistantMessage.ToolCall> calls = new ArrayList<>(decided.size());
		for (LlmToolCall call : decided) {
			calls.add(answered.stream()
				.filter((candidate) -> forHooks(candidate).equals(call))
				.findFirst()
				.orElseGet(() -> new AssistantMessage.ToolCall(call.id(), "function", call.name(), call.arguments())));
		}
		return calls;
	}

	private static ChatGenerationMetadata metadata(LlmResponse decided, @Nullable Generation kept) {
		ChatGenerationMetadata.Builder metadata = ChatGenerationMetadata.builder().finishReason(decided.finishReason());
		if (kept != null) {
			metadata.contentFilters(kept.getMetadata().getContentFilters());
			boolean isSame = decided.text().equals(kept.getOutput().getText());
			kept.getMetadata()
				.entrySet()
				.stream()
				.filter((entry) -> isSame || !PromptMessages.maySay(entry.getValue()))
				.forEach((entry) -> metadata.metadata(entry.getKey(), entry.getValue()));
		}
		return metadata.build();
	}

	/**
	 * Tokens are counted whatever a hook wrote in the place of a response. What else a
	 * model says beside its answer may repeat it, so it is left out.
	 */
	private static ChatResponseMetadata metadata(@Nullable String model, @Nullable LlmUsage usage,
			@Nullable ChatResponse answered) {
		ChatResponseMetadata.Builder metadata = ChatResponseMetadata.builder();
		if (answered != null) {
			ChatResponseMetadata given = answered.getMetadata();
			metadata.id(given.getId())
				.model(given.getModel())
				.usage(given.getUsage())
				.rateLimit(given.getRateLimit())
				.promptMetadata(given.getPromptMetadata());
		}
		if (model != null) {
			metadata.model(model);
		}
		if (usage != null && (answered == null || !usage.equals(usageOf(answered)))) {
			metadata
				.usage(new DefaultUsage(Math.toIntExact(usage.inputTokens()), Math.toIntExact(usage.outputTokens())));
		}
		return metadata.build();
	}

}
