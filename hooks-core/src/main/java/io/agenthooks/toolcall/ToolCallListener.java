package io.agenthooks.toolcall;

import io.agenthooks.HookListener;

/**
 * Hears of everything that happens to a tool call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolCallListener extends HookListener<ToolCallEvent> {

}
