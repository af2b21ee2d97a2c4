package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * Tells a hook of calls of some tools only.
 *
 * @param tools whether the hook is for the tool of this name
 * @param delegate the hook
 */
record ToolSpecificPostToolHook(Predicate<String> tools, PostToolHook delegate) implements PostToolHook {

	ToolSpecificPostToolHook {
		Objects.requireNonNull(tools, "'tools' must not be null");
		Objects.requireNonNull(delegate, "'hook' must not be null");
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		if (this.tools.test(outcome.effective().tool())) {
			this.delegate.postCall(outcome);
		}
	}

}
