package io.agenthooks.toolcall;

import io.agenthooks.HookListener;

/**
 * Receives the events of a tool call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolCallListener extends HookListener<ToolCallEvent> {

}
