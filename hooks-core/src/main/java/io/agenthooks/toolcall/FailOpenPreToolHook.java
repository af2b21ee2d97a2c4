package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.chain.Failures;

/**
 * Approves a call when the hook itself fails. Only an exception or a missing decision is
 * a failure of the hook. An error, an interruption and the abort of a call that the hook
 * made are not: they stay what they are, and the chain denies.
 *
 * @param delegate the hook
 */
record FailOpenPreToolHook(PreToolHook delegate) implements PreToolHook {

	private static final Logger logger = LoggerFactory.getLogger(FailOpenPreToolHook.class);

	FailOpenPreToolHook {
		Objects.requireNonNull(delegate, "'hook' must not be null");
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return orFailOpen(name(), () -> this.delegate.preCall(call));
	}

	/**
	 * The decision of a hook, or the approval of one that fails.
	 */
	static ToolDecision orFailOpen(String name, Supplier<@Nullable ToolDecision> hook) {
		try {
			ToolDecision decision = hook.get();
			return (decision != null) ? decision : ToolDecision.failedOpen("The hook decided nothing");
		}
		catch (AgentAbortedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			if (Failures.isInterruption(ex)) {
				throw ex;
			}
			logger.debug("The hook '{}' failed", name, ex);
			return ToolDecision.failedOpen("The hook failed with " + ex.getClass().getName());
		}
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
