package io.agenthooks.llmcall;

/**
 * The tokens that were used.
 *
 * @param inputTokens the tokens of the prompt
 * @param outputTokens the tokens that the model wrote
 * @since 0.1.0
 */
public record LlmUsage(long inputTokens, long outputTokens) {

	/**
	 * The tokens of two calls.
	 * @param other the usage of another call
	 * @return the sum
	 */
	public LlmUsage plus(LlmUsage other) {
		return new LlmUsage(this.inputTokens + other.inputTokens, this.outputTokens + other.outputTokens);
	}

}
