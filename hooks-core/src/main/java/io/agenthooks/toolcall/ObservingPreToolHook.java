package io.agenthooks.toolcall;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

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
		try {
			@Nullable ToolDecision decision = this.delegate.preCall(call);
			if (decision == null) {
				logger.warn("The observed hook '{}' decided nothing; enforced, it would deny", name());
			}
			else if (decision.verdict() != Verdict.APPROVE) {
				logger.info("The observed hook '{}' would {} the call '{}' of the tool '{}'", name(),
						decision.verdict().value(), SafeText.name(call.id()), SafeText.name(call.tool()));
			}
		}
		catch (Throwable ex) {
			if (Failures.isFatal(ex)) {
				throw ex;
			}
			Failures.log(logger, "The observed hook '" + name() + "'", ex, "enforced, it would deny");
		}
		return ToolDecision.approve();
	}

	@Override
	public boolean isRepeatable() {
		return this.delegate.isRepeatable();
	}

}
