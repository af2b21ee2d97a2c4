package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.util.CollectionUtils;

import io.agenthooks.spring.caller.Caller;

/**
 * Takes the tools that hooks hide from who asks a model out of what the model is offered.
 * Whoever calls tools keeps all of them, so that calls of hidden ones are decided as any.
 */
final class HiddenTools {

	private HiddenTools() {
	}

	/**
	 * Whether there are tools among some options.
	 */
	static boolean hasTools(@Nullable ChatOptions options) {
		return options instanceof ToolCallingChatOptions calling
				&& !CollectionUtils.isEmpty(calling.getToolCallbacks());
	}

	/**
	 * A prompt without hidden tools.
	 * @param options the options that hold for the prompt
	 * @param hooks the hooks that hide tools
	 * @param asking who asks the model, unless a tool of the prompt knows
	 * @return the prompt itself if nothing is hidden
	 */
	static Prompt offer(Prompt prompt, @Nullable ChatOptions options, SpringAiToolHooks hooks,
			Supplier<Caller> asking) {
		if (!(options instanceof ToolCallingChatOptions calling) || !hasTools(options)) {
			return prompt;
		}
		List<ToolCallback> tools = Objects.requireNonNull(calling.getToolCallbacks());
		List<ToolCallback> offered = hooks.calls().offered(tools, calling.getToolContext(), asking);
		return (offered.size() == tools.size()) ? prompt
				: new Prompt(prompt.getInstructions(), calling.mutate().toolCallbacks(offered).build());
	}

}
