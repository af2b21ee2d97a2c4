package io.agenthooks.llmcall;

/**
 * Sees what a model answered, or what a {@link PreLlmHook} answered in its place, before
 * the agent does, and may replace it. It does not see denials, nor what a model throws.
 * <p>
 * A streamed response is collected before it is shown if such a hook is for the call.
 * <p>
 * A hook is called by many threads at once. One that throws or returns {@code null}
 * withholds the response.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public non-sealed interface LlmResponseHook extends LlmHook {

	/**
	 * Decide about a response.
	 * @param call the call as the model got it, or as it was answered
	 * @param response the response, as the hooks before this one left it
	 * @return approve to keep the response, respond to replace it, deny to withhold it,
	 * abort to end the turn or the run. Any other decision withholds it, too.
	 */
	LlmDecision onResponse(LlmCall call, LlmResponse response);

}
