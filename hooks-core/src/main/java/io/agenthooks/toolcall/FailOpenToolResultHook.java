package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * Keeps a result as it is when the hook itself fails, by the rules of
 * {@link FailOpenPreToolHook}.
 *
 * @param delegate the hook
 */
record FailOpenToolResultHook(ToolResultHook delegate) implements ToolResultHook {

	FailOpenToolResultHook {
		Objects.requireNonNull(delegate, "'hook' must not be null");
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return FailOpenPreToolHook.orFailOpen(name(), () -> this.delegate.onResult(call, result));
	}

	@Override
	public Predicate<String> tools() {
		return this.delegate.tools();
	}

}
