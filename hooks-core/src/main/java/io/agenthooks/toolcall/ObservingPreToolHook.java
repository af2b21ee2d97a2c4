package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.chain.Failures;

/**
 * Lets a hook decide, logs what it would have done, and lets the call pass.
 *
 * @param delegate the hook
 */
record ObservingPreToolHook(PreToolHook delegate) implements PreToolHook {

	private static final Logger logger = LoggerFactory.getLogger(ObservingPreToolHook.class);

	ObservingPreToolHook {
		Objects.requireNonNull(delegate, "'hook' must not be null");
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return observe(name(), call, () -> this.delegate.preCall(call));
	}

	/**
	 * Log what a hook decides, and make an approval of it that says so.
	 */
	static ToolDecision observe(String name, ToolCall call, Supplier<@Nullable ToolDecision> hook) {
		try {
			ToolDecision decision = hook.get();
			if (decision == null) {
				logger.warn("The observed hook '{}' decided nothing; enforced, it would deny", name);
				return ToolDecision.observed(Verdict.DENY);
			}
			if (decision instanceof ToolDecision.Approve approval) {
				return (approval.additionalContext() == null) ? approval
						: new ToolDecision.Approve(approval.failure(), approval.observed(), null);
			}
			logger.info("The observed hook '{}' would {} the call '{}' of the tool '{}'", name,
					decision.verdict().value(), SafeText.name(call.id()), SafeText.name(call.tool()));
			return ToolDecision.observed(decision.verdict());
		}
		catch (Throwable ex) {
			if (Failures.isFatal(ex)) {
				throw ex;
			}
			Failures.log(logger, "The observed hook '" + name + "'", ex, "enforced, it would deny");
			return ToolDecision.observed(Verdict.DENY);
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
