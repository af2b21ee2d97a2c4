package io.agenthooks.llmcall;

import io.agenthooks.HookListener;

/**
 * Hears of everything that happens to a model call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LlmCallListener extends HookListener<LlmCallEvent> {

}
