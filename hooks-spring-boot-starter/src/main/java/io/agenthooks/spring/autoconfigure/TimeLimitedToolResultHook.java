package io.agenthooks.spring.autoconfigure;

import java.util.function.Predicate;

import io.agenthooks.spring.TimeLimitedToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Limits the time that a hook may take to decide.
 *
 * @param delegate the hook
 * @param limit the limit
 */
record TimeLimitedToolResultHook(ToolResultHook delegate,
		TimeLimit limit) implements ToolResultHook, TimeLimitedToolHook {

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return this.limit.decide(() -> this.delegate.onResult(call, result));
	}

	@Override
	public Predicate<String> tools() {
		return this.delegate.tools();
	}

	@Override
	public int abandonedThreads() {
		return this.limit.abandonedThreads();
	}

}
