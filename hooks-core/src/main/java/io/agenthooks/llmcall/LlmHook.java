package io.agenthooks.llmcall;

import io.agenthooks.Hook;

/**
 * A hook around model calls: one that decides before the model is asked, one that may
 * replace the response, or one that learns how the call ended. A class may be several of
 * them.
 *
 * @since 0.1.0
 */
public sealed interface LlmHook extends Hook permits PreLlmHook, LlmResponseHook, PostLlmHook {

}
