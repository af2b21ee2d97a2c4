package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * Asks a hook about calls of some tools only.
 *
 * @param tools whether the hook is for the tool of this name
 * @param delegate the hook
 */
record ToolSpecificPreToolHook(Predicate<String> tools, PreToolHook delegate) implements PreToolHook {

	ToolSpecificPreToolHook {
		Objects.requireNonNull(tools, "'tools' must not be null");
		Objects.requireNonNull(delegate, "'hook' must not be null");
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return (this.tools.test(call.tool())) ? this.delegate.preCall(call) : ToolDecision.approve();
	}

	@Override
	public boolean isRepeatable() {
		return this.delegate.isRepeatable();
	}

}
