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
record NamedPreToolHook(String name, PreToolHook delegate) implements PreToolHook {

	NamedPreToolHook {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(delegate, "'hook' must not be null");
		name = SafeText.name(name);
	}

	/**
	 * A hook under the name that it has now, so that nobody needs to ask it again.
	 */
	static NamedPreToolHook of(PreToolHook hook) {
		return (hook instanceof NamedPreToolHook named) ? named : new NamedPreToolHook(hook.name(), hook);
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.delegate.preCall(call);
	}

	@Override
	public boolean isRepeatable() {
		return this.delegate.isRepeatable();
	}

	@Override
	public Predicate<String> tools() {
		return this.delegate.tools();
	}

}
