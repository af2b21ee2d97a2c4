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
 * @param isRepeatable whether the hook is a policy
 * @param delegate the hook
 */
record NamedPreToolHook(String name, Predicate<String> tools, boolean isRepeatable,
		PreToolHook delegate) implements PreToolHook {

	NamedPreToolHook {
		Objects.requireNonNull(tools, "'tools' must not be null");
		name = SafeText.name(name);
	}

	NamedPreToolHook(String name, PreToolHook delegate) {
		this(Objects.requireNonNull(name, "'name' must not be null"),
				Objects.requireNonNull(delegate, "'hook' must not be null").tools(), delegate.isRepeatable(), delegate);
	}

	/**
	 * A hook under the name that it has now.
	 */
	static NamedPreToolHook of(PreToolHook hook) {
		return (hook instanceof NamedPreToolHook named) ? named : new NamedPreToolHook(hook.name(), hook);
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.delegate.preCall(call);
	}

}
