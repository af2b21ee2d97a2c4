package io.agenthooks.toolcall;

import java.util.Objects;

/**
 * Gives a hook its name.
 *
 * @param name the name
 * @param delegate the hook
 */
record NamedPostToolHook(String name, PostToolHook delegate) implements PostToolHook {

	NamedPostToolHook {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(delegate, "'hook' must not be null");
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		this.delegate.postCall(outcome);
	}

}
