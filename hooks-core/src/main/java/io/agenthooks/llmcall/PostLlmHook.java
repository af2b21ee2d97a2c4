package io.agenthooks.llmcall;

/**
 * Learns how a model call ended. Every post-call hook sees every call exactly once,
 * including the ones that a {@link PreLlmHook} settled. What it throws is logged and
 * changes nothing.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public non-sealed interface PostLlmHook extends LlmHook {

	/**
	 * Learn how a call ended.
	 * @param outcome how it ended
	 */
	void postCall(LlmOutcome outcome);

}
