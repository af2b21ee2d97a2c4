package io.agenthooks.spring.prompt;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.StructuredOutputChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

import io.agenthooks.spring.external.AskedByHook;

/**
 * Asked itself, not by a {@code ChatClient}: so no hook judges this in turn, or counts it
 * as a call of the agent. {@code name} is {@code null} for the model's own.
 */
record JudgeModel(Supplier<ChatModel> bean, @Nullable String name) {

	/**
	 * Makes what a bean needs here, on the thread of the call: another might wait for it
	 * while the application starts. The schema is {@code null} if the model does not get
	 * it.
	 */
	Supplier<@Nullable ChatResponse> toAsk(String rules, String question, @Nullable String schema) {
		ChatModel model = this.bean.get();
		Prompt prompt = new SilentPrompt(rules, question, options(model, schema));
		return () -> AskedByHook.<@Nullable ChatResponse>execute(() -> model.call(prompt));
	}

	/** Without tools. A temperature is not set: some models refuse any. */
	private ChatOptions options(ChatModel model, @Nullable String schema) {
		ChatOptions.Builder<?> options = model.getOptions().mutate();
		if (this.name != null) {
			options.model(this.name);
		}
		if (options instanceof ToolCallingChatOptions.Builder<?> tools) {
			tools.toolCallbacks(List.of());
			tools.toolContext(null);
		}
		if (schema != null && options instanceof StructuredOutputChatOptions.Builder<?> structured) {
			structured.outputSchema(schema);
		}
		return options.build();
	}

	/** Some clients log a prompt when they are surprised. */
	private static final class SilentPrompt extends Prompt {

		SilentPrompt(String rules, String question, ChatOptions options) {
			super(List.of(new SystemMessage(rules), new UserMessage(question)), options);
		}

		@Override
		public String toString() {
			return "Prompt[***]";
		}

	}

}
