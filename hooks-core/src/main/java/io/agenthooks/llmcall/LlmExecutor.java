package io.agenthooks.llmcall;

/**
 * Asks a model.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LlmExecutor {

	/**
	 * Ask the model and wait for its response. Whatever this throws reaches the caller
	 * unchanged.
	 * @param call the call, as the hooks left it
	 * @return the response
	 */
	LlmResponse execute(LlmCall call);

}
