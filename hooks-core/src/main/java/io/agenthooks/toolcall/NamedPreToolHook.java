package io.agenthooks.toolcall;

import java.util.Objects;

/**
 * Gives a hook its name.
 *
 * @param name the name
 * @param delegate the hook
 */
record NamedPreToolHook(String name, PreToolHook delegate) implements PreToolHook {

	NamedPreToolHook {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(delegate, "'hook' must not be null");
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.delegate.preCall(call);
	}

	@Override
	public boolean isRepeatable() {
		return this.delegate.isRepeatable();
	}

}
