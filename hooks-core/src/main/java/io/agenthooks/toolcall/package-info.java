/**
 * Everything around a tool call: the call, the hooks that decide about it, the chain that
 * asks them, and how the call ended. Start at
 * {@link io.agenthooks.toolcall.ToolHookChain}.
 */
@NullMarked
package io.agenthooks.toolcall;

import org.jspecify.annotations.NullMarked;
