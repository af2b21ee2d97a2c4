package io.agenthooks.llmcall;

/**
 * Decides about a model call before the model is asked.
 * <p>
 * A hook is called by many threads at once. One that throws or returns {@code null}
 * denies the call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public non-sealed interface PreLlmHook extends LlmHook {

	/**
	 * Decide about a call.
	 * @param call the call, as the hooks before this one left it
	 * @return the decision
	 */
	LlmDecision preCall(LlmCall call);

	/**
	 * Whether asking this hook again about the same call is harmless and cheap: it
	 * depends on the call alone and has no side effect. Such a <em>policy</em> is also
	 * asked when a later hook changed or answered the call, so neither is a way around
	 * it.
	 * @return {@code false} unless overridden
	 */
	default boolean isRepeatable() {
		return false;
	}

}
