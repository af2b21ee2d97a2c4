package io.agenthooks.spring.ai;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeTypeUtils;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmRole;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.LlmUsage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for what hooks see of prompts and responses, and what becomes of what they
 * change.
 */
class ModelMappingTests {

	private static final AssistantMessage.ToolCall WISH = new AssistantMessage.ToolCall("call-1", "custom", "weather",
			"{}");

	private final Media image = new Media(MimeTypeUtils.IMAGE_PNG, URI.create("https://example.com/a.png"));

	private final List<Message> messages = List.of(new SystemMessage("Be nice"),
			UserMessage.builder().text("Look").media(this.image).metadata(Map.of("from", "Ann")).build(),
			AssistantMessage.builder()
				.content("Hm")
				.properties(Map.of("signature", 7, "thoughts", "Hm, why?"))
				.toolCalls(List.of(WISH))
				.build(),
			ToolResponseMessage.builder()
				.responses(List.of(new ToolResponse("call-1", "weather", "sunny"),
						new ToolResponse("call-2", "weather", "rainy")))
				.metadata(Map.of("batch", 1))
				.build(),
			ToolResponseMessage.builder().responses(List.of()).build());

	@Test
	void hooksSeeEveryTextOfThePrompt() {
		assertThat(PromptMessages.forHooks(this.messages)).extracting(LlmMessage::text)
			.containsExactly("Be nice", "Look", "Hm", "sunny", "rainy", "");
		assertThat(PromptMessages.forHooks(this.messages)).extracting(LlmMessage::role)
			.containsExactly(LlmRole.SYSTEM, LlmRole.USER, LlmRole.ASSISTANT, LlmRole.TOOL, LlmRole.TOOL, LlmRole.TOOL);
	}

	@Test
	void messagesThatHooksDoNotTouchAreTheSame() {
		List<Message> back = PromptMessages.fromHooks(PromptMessages.forHooks(this.messages));
		assertThat(back).hasSameSizeAs(this.messages);
		for (int i = 0; i < back.size(); i++) {
			assertThat(back.get(i)).isSameAs(this.messages.get(i));
		}
	}

	@Test
	void messageWithAnotherTextKeepsAllElse() {
		List<Message> back = PromptMessages.fromHooks(PromptMessages.forHooks(this.messages)
			.stream()
			.map((message) -> message.withText(message.text().toUpperCase(Locale.ROOT)))
			.toList());
		UserMessage user = (UserMessage) back.get(1);
		assertThat(user.getText()).isEqualTo("LOOK");
		assertThat(user.getMedia()).containsExactly(this.image);
		assertThat(user.getMetadata()).containsEntry("from", "Ann");
		AssistantMessage assistant = (AssistantMessage) back.get(2);
		assertThat(assistant.getToolCalls()).containsExactly(WISH);
		assertThat(assistant.getMetadata()).containsEntry("signature", 7).doesNotContainKey("thoughts");
		ToolResponseMessage tools = (ToolResponseMessage) back.get(3);
		assertThat(tools.getResponses()).containsExactly(new ToolResponse("call-1", "weather", "SUNNY"),
				new ToolResponse("call-2", "weather", "RAINY"));
		assertThat(tools.getMetadata()).containsEntry("batch", 1);
	}

	@Test
	void hooksAddAndRemoveMessages() {
		List<LlmMessage> shown = new ArrayList<>(PromptMessages.forHooks(this.messages).subList(0, 2));
		shown.remove(0);
		shown.add(LlmMessage.assistant("Well"));
		shown.add(LlmMessage.system("Be brief"));
		assertThat(PromptMessages.fromHooks(shown)).containsExactly(this.messages.get(1), new AssistantMessage("Well"),
				new SystemMessage("Be brief"));
	}

	@Test
	void replyOfAToolThatWasNotCalledIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(() -> PromptMessages.fromHooks(List.of(new LlmMessage(LlmRole.TOOL, "sunny", null))))
			.withMessageContaining("no call");
	}

	@Test
	void optionOfAnotherKindIsRefused() {
		LlmCall call = LlmCall.of(LlmMessage.user("Hello"));
		assertThatIllegalStateException()
			.isThrownBy(() -> PromptOptions.fromHooks(ChatOptions.builder().build(), call,
					call.withOptions(Map.of("maxTokens", 1.5))))
			.withMessageContaining("'maxTokens'");
		assertThatIllegalStateException()
			.isThrownBy(() -> PromptOptions.fromHooks(null, call, call.withOptions(Map.of("temperature", "hot"))))
			.withMessageContaining("'temperature'");
	}

	@Test
	void everyOptionThatAllModelsHaveCanBeSet() {
		Map<String, Object> all = Map.of("temperature", 0.1, "maxTokens", 2, "topP", 0.3, "topK", 4, "frequencyPenalty",
				0.5, "presencePenalty", 0.6, "stopSequences", List.of("7"));
		LlmCall call = LlmCall.of(LlmMessage.user("Hello"));
		ChatOptions options = PromptOptions.fromHooks(null, call, call.withOptions(all).withModel("other"));
		assertThat(PromptOptions.forHooks(options)).isEqualTo(all);
		assertThat(Objects.requireNonNull(options).getModel()).isEqualTo("other");
	}

	@Test
	void hooksSeeAllGenerations() {
		ChatResponse answered = response(new AssistantMessage("One"),
				AssistantMessage.builder().content("Two").toolCalls(List.of(WISH)).build());
		LlmResponse shown = ModelResponses.forHooks(answered);
		assertThat(shown.text()).isEqualTo("One\nTwo");
		assertThat(shown.toolCalls()).containsExactly(new LlmToolCall("call-1", "weather", "{}"));
		ChatResponse changed = ModelResponses.fromHooks(shown.withText("Three"), answered);
		assertThat(changed.getResults()).hasSize(1);
		assertThat(output(changed).getText()).isEqualTo("Three");
		assertThat(output(changed).getToolCalls()).containsExactly(WISH);
	}

	@Test
	void changedResponseSaysNothingThatTheFirstOneSaid() {
		ChatResponse answered = response(AssistantMessage.builder()
			.content("secret")
			.properties(Map.of("thoughts", "The secret", "signature", 7))
			.media(List.of(this.image))
			.build());
		ChatResponse changed = ModelResponses.fromHooks(ModelResponses.forHooks(answered).withText("hidden"), answered);
		assertThat(changed.toString()).doesNotContain("secret");
		assertThat(output(changed).getMetadata()).containsEntry("signature", 7);
		assertThat(output(changed).getMedia()).containsExactly(this.image);
		assertThat(changed.getMetadata().getUsage().getTotalTokens()).isEqualTo(15);
		assertThat(changed.getMetadata().getId()).isEqualTo("id-1");
		assertThat(changed.getMetadata().<String>get("raw")).isNull();
		assertThat(Objects.requireNonNull(changed.getResult()).getMetadata().getFinishReason()).isEqualTo("stop");
	}

	@Test
	void changedResponseHasNoThoughtsAnywhereBesideIt() {
		byte[] signature = { 7 };
		AssistantMessage message = AssistantMessage.builder()
			.content("secret")
			.properties(Map.of("signatures", List.of(signature), "citations", List.of("The secret"), "parts",
					Map.of("secret", 1), "raw", new LlmToolCall("1", "secret", "{}")))
			.build();
		ChatGenerationMetadata metadata = ChatGenerationMetadata.builder()
			.finishReason("stop")
			.metadata("thinking", "The secret")
			.metadata("logprobs", List.of(Map.of("token", "secret")))
			.metadata("index", 1)
			.build();
		ChatResponse answered = new ChatResponse(List.of(new Generation(message, metadata)));
		LlmResponse shown = ModelResponses.forHooks(answered);
		ChatResponse changed = ModelResponses.fromHooks(shown.withText("hidden"), answered);
		assertThat(output(changed).getMetadata()).containsEntry("signatures", List.of(signature))
			.doesNotContainKeys("citations", "parts", "raw");
		ChatGenerationMetadata left = Objects.requireNonNull(changed.getResult()).getMetadata();
		assertThat(left.keySet()).containsExactly("index");
		assertThat(left.getFinishReason()).isEqualTo("stop");
		LlmResponse without = new LlmResponse(shown.text(), List.of(), "other", null, null, shown.source());
		assertThat(Objects.requireNonNull(ModelResponses.fromHooks(without, answered).getResult())
			.getMetadata()
			.<String>get("thinking")).isEqualTo("The secret");
	}

	@Test
	void hookTakesAwayTheWishToCallATool() {
		ChatResponse answered = response(AssistantMessage.builder().content("").toolCalls(List.of(WISH)).build());
		LlmResponse shown = ModelResponses.forHooks(answered);
		ChatResponse changed = ModelResponses.fromHooks(new LlmResponse(shown.text(), List.of(), shown.finishReason(),
				shown.usage(), shown.model(), shown.source()), answered);
		assertThat(changed.hasToolCalls()).isFalse();
	}

	@Test
	void responseOfAHookCountsTheTokensThatTheModelUsed() {
		ChatResponse answered = response(new AssistantMessage("secret"));
		ChatResponse replaced = ModelResponses.fromHooks(LlmResponse.of("hidden"), answered);
		assertThat(ModelResponses.usageOf(replaced)).isEqualTo(new LlmUsage(10, 5));
		assertThat(replaced.toString()).doesNotContain("secret");
	}

	@Test
	void nobodyCountedTokensIfThereAreNone() {
		assertThat(ModelResponses.forHooks(new ChatResponse(List.of())).usage()).isNull();
		assertThat(ModelResponses.forHooks(null).text()).isEmpty();
	}

	private static AssistantMessage output(ChatResponse response) {
		@Nullable Generation generation = response.getResult();
		return Objects.requireNonNull(generation).getOutput();
	}

	private static ChatResponse response(AssistantMessage... messages) {
		List<Generation> generations = new ArrayList<>();
		for (AssistantMessage message : messages) {
			generations.add(new Generation(message, ChatGenerationMetadata.builder().finishReason("stop").build()));
		}
		return new ChatResponse(generations,
				ChatResponseMetadata.builder()
					.id("id-1")
					.usage(new DefaultUsage(10, 5))
					.keyValue("raw", "The secret")
					.build());
	}

}
