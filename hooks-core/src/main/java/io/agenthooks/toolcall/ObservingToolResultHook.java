package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * Lets a hook decide about a result, logs what it would do, and keeps the result.
 *
 * @param delegate the hook
 */
record ObservingToolResultHook(ToolResultHook delegate) implements ToolResultHook {

	ObservingToolResultHook {
		Objects.requireNonNull(delegate, "'hook' must not be null");
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return ObservingPreToolHook.observe(name(), call, () -> this.delegate.onResult(call, result));
	}

	@Override
	public Predicate<String> tools() {
		return this.delegate.tools();
	}

}
