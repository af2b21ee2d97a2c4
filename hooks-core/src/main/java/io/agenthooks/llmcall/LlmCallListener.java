package io.agenthooks.llmcall;

import io.agenthooks.HookListener;

/**
 * Receives the events of a model call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LlmCallListener extends HookListener<LlmCallEvent> {

}
