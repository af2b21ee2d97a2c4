package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * An executor whose calls pass a chain of hooks.
 *
 * @param delegate the executor that runs the tools
 * @param hooks the hooks
 * @since 0.1.0
 */
public record HookedToolExecutor(ToolExecutor delegate, ToolHookChain hooks) implements ToolExecutor {

	public HookedToolExecutor {
		Objects.requireNonNull(delegate, "'delegate' must not be null");
		Objects.requireNonNull(hooks, "'hooks' must not be null");
	}

	@Override
	public ToolResult execute(ToolCall call) {
		return this.hooks.execute(call, this.delegate);
	}

	@Override
	public @Nullable String objection(ToolCall call) {
		return this.delegate.objection(call);
	}

	@Override
	public @Nullable String failureText(Throwable failure) {
		return this.delegate.failureText(failure);
	}

	@Override
	public @Nullable String denialText(Throwable failure) {
		return this.delegate.denialText(failure);
	}

	@Override
	public Set<String> toolNames() {
		return this.delegate.toolNames();
	}

}
