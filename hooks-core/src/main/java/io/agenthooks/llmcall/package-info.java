/**
 * Everything around a model call: the messages, the hooks that decide about them, the
 * chain that asks them, and how the call ended. Start at
 * {@link io.agenthooks.llmcall.LlmHookChain}.
 */
@NullMarked
package io.agenthooks.llmcall;

import org.jspecify.annotations.NullMarked;
