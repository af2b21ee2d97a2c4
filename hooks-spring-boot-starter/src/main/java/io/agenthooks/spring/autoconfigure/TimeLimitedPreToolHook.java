package io.agenthooks.spring.autoconfigure;

import java.util.function.Predicate;

import io.agenthooks.spring.TimeLimitedToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Limits the time that a hook may take to decide.
 *
 * @param delegate the hook
 * @param limit the limit
 */
record TimeLimitedPreToolHook(PreToolHook delegate, TimeLimit limit) implements PreToolHook, TimeLimitedToolHook {

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.limit.decide(() -> this.delegate.preCall(call));
	}

	@Override
	public boolean isRepeatable() {
		return this.delegate.isRepeatable();
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
