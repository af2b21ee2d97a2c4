package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

import io.agenthooks.SafeText;

/**
 * Gives a hook its name.
 *
 * @param name the name, as one safe line
 * @param delegate the hook
 */
record NamedToolResultHook(String name, ToolResultHook delegate) implements ToolResultHook {

	NamedToolResultHook {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(delegate, "'hook' must not be null");
		name = SafeText.name(name);
	}

	/**
	 * A hook under the name that it has now, so that nobody needs to ask it again.
	 */
	static NamedToolResultHook of(ToolResultHook hook) {
		return (hook instanceof NamedToolResultHook named) ? named : new NamedToolResultHook(hook.name(), hook);
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return this.delegate.onResult(call, result);
	}

	@Override
	public Predicate<String> tools() {
		return this.delegate.tools();
	}

}
