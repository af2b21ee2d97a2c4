package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

import io.agenthooks.SafeText;

/**
 * Gives a hook its name, and remembers what it says about itself, so that nobody needs to
 * ask it again.
 *
 * @param name the name, as one safe line
 * @param tools for which tools the hook is
 * @param delegate the hook
 */
record NamedToolResultHook(String name, Predicate<String> tools, ToolResultHook delegate) implements ToolResultHook {

	NamedToolResultHook {
		Objects.requireNonNull(tools, "'tools' must not be null");
		name = SafeText.name(name);
	}

	NamedToolResultHook(String name, ToolResultHook delegate) {
		this(Objects.requireNonNull(name, "'name' must not be null"),
				Objects.requireNonNull(delegate, "'hook' must not be null").tools(), delegate);
	}

	/**
	 * A hook under the name that it has now.
	 */
	static NamedToolResultHook of(ToolResultHook hook) {
		return (hook instanceof NamedToolResultHook named) ? named : new NamedToolResultHook(hook.name(), hook);
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return this.delegate.onResult(call, result);
	}

}
