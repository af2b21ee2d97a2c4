package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

import io.agenthooks.CallContext;

/**
 * Asks a hook about some calls only.
 *
 * @param tools whether the hook is for the tool of this name
 * @param contexts whether the hook is for calls of this context
 * @param delegate the hook
 */
record ScopedPreToolHook(Predicate<String> tools, Predicate<CallContext> contexts,
		PreToolHook delegate) implements PreToolHook {

	/** For calls of every context. */
	static final Predicate<CallContext> ALL_CONTEXTS = (context) -> true;

	ScopedPreToolHook {
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
	public ToolDecision preCall(ToolCall call) {
		return (ToolScope.isFor(this.tools, call.identity()) && this.contexts.test(call.context()))
				? this.delegate.preCall(call) : ToolDecision.approve();
	}

	@Override
	public boolean isRepeatable() {
		return this.delegate.isRepeatable();
	}

}
