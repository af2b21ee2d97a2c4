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
record NamedPostToolHook(String name, Predicate<String> tools, PostToolHook delegate) implements PostToolHook {

	NamedPostToolHook {
		Objects.requireNonNull(tools, "'tools' must not be null");
		name = SafeText.name(name);
	}

	NamedPostToolHook(String name, PostToolHook delegate) {
		this(Objects.requireNonNull(name, "'name' must not be null"),
				Objects.requireNonNull(delegate, "'hook' must not be null").tools(), delegate);
	}

	/**
	 * A hook under the name that it has now.
	 */
	static NamedPostToolHook of(PostToolHook hook) {
		return (hook instanceof NamedPostToolHook named) ? named : new NamedPostToolHook(hook.name(), hook);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		this.delegate.postCall(outcome);
	}

}
