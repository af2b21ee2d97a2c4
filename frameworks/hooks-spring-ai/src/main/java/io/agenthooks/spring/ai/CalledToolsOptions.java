package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;

/**
 * The options of a prompt with no tools but those that are called, for Spring AI's own
 * manager, which asks for nothing but the tools and their context. A copy of the options
 * would copy all that they say about the model, for each call of a tool.
 *
 * @param options the options
 * @param called the tools
 */
record CalledToolsOptions(ToolCallingChatOptions options, List<ToolCallback> called) implements ToolCallingChatOptions {

	@Override
	public List<ToolCallback> getToolCallbacks() {
		return this.called;
	}

	@Override
	public @Nullable Map<String, Object> getToolContext() {
		return this.options.getToolContext();
	}

	@Override
	public Builder<?> mutate() {
		return this.options.mutate().toolCallbacks(this.called);
	}

	@Override
	public @Nullable String getModel() {
		return this.options.getModel();
	}

	@Override
	public @Nullable Double getFrequencyPenalty() {
		return this.options.getFrequencyPenalty();
	}

	@Override
	public @Nullable Integer getMaxTokens() {
		return this.options.getMaxTokens();
	}

	@Override
	public @Nullable Double getPresencePenalty() {
		return this.options.getPresencePenalty();
	}

	@Override
	public @Nullable List<String> getStopSequences() {
		return this.options.getStopSequences();
	}

	@Override
	public @Nullable Double getTemperature() {
		return this.options.getTemperature();
	}

	@Override
	public @Nullable Integer getTopK() {
		return this.options.getTopK();
	}

	@Override
	public @Nullable Double getTopP() {
		return this.options.getTopP();
	}

}
