package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

import io.agenthooks.CallContext;

/**
 * Shows a hook the results of some calls only.
 *
 * @param tools whether the hook is for the tool of this name
 * @param contexts whether the hook is for calls of this context
 * @param delegate the hook
 */
record ScopedToolResultHook(Predicate<String> tools, Predicate<CallContext> contexts,
		ToolResultHook delegate) implements ToolResultHook {

	ScopedToolResultHook {
		Objects.requireNonNull(tools, "'tools' must not be null");
		Objects.requireNonNull(contexts, "'contexts' must not be null");
		Objects.requireNonNull(delegate, "'hook' must not be null");
		tools = (ALL_TOOLS.equals(delegate.tools())) ? tools : ToolScope.ofNames(tools).and(delegate.tools());
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return (ToolScope.isFor(this.tools, call.identity()) && this.contexts.test(call.context()))
				? this.delegate.onResult(call, result) : ToolDecision.approve();
	}

}
