package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

import io.agenthooks.CallContext;

/**
 * Tells a hook of some calls only.
 *
 * @param tools whether the hook is for the tool of this name
 * @param contexts whether the hook is for calls of this context
 * @param delegate the hook
 */
record ScopedPostToolHook(Predicate<String> tools, Predicate<CallContext> contexts,
		PostToolHook delegate) implements PostToolHook {

	ScopedPostToolHook {
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
	public void postCall(ToolOutcome outcome) {
		if (ToolScope.isFor(this.tools, outcome.effective().identity())
				&& this.contexts.test(outcome.effective().context())) {
			this.delegate.postCall(outcome);
		}
	}

}
