package io.agenthooks.toolcall;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Approves a call when the hook itself fails. Only an exception or a missing decision is
 * a failure of the hook; errors of the virtual machine stay what they are.
 *
 * @param delegate the hook
 */
record FailOpenPreToolHook(PreToolHook delegate) implements PreToolHook {

	FailOpenPreToolHook {
		Objects.requireNonNull(delegate, "'hook' must not be null");
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		try {
			@Nullable ToolDecision decision = this.delegate.preCall(call);
			return (decision != null) ? decision : ToolDecision.failedOpen("The hook decided nothing");
		}
		catch (Exception ex) {
			if (Thread.currentThread().isInterrupted()) {
				throw ex;
			}
			return ToolDecision.failedOpen("The hook failed with " + ex.getClass().getName());
		}
	}

	@Override
	public boolean isRepeatable() {
		return this.delegate.isRepeatable();
	}

}
