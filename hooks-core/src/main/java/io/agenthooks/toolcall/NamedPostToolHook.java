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
record NamedPostToolHook(String name, PostToolHook delegate) implements PostToolHook {

	NamedPostToolHook {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(delegate, "'hook' must not be null");
		name = SafeText.name(name);
	}

	/**
	 * A hook under the name that it has now, so that nobody needs to ask it again.
	 */
	static NamedPostToolHook of(PostToolHook hook) {
		return (hook instanceof NamedPostToolHook named) ? named : new NamedPostToolHook(hook.name(), hook);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		this.delegate.postCall(outcome);
	}

	@Override
	public Predicate<String> tools() {
		return this.delegate.tools();
	}

}
