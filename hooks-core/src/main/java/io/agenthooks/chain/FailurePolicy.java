package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.Verdict;

/** Decides what counts when a hook fails or only observes. */
final class FailurePolicy<C extends HookedCall, D extends HookDecision> {

	private final ChainKind<C, ?, D, ?> kind;

	private final HookEntry<?> entry;

	private final FailureLog failures;

	FailurePolicy(ChainKind<C, ?, D, ?> kind, HookEntry<?> entry) {
		this.kind = kind;
		this.entry = entry;
		this.failures = new FailureLog(kind.logger);
	}

	D failed(Throwable ex, Rehearsal.@Nullable Asking<D> asking) {
		if (!Failures.isFatal(ex)) {
			if (this.entry.failMode().passes(ex)) {
				if (asking == null) {
					this.kind.logger.debug("The hook '{}' failed", this.entry.name(), ex);
				}
				return this.kind.failedOpen("The hook failed with " + ex.getClass().getName());
			}
			if (this.entry.observe()) {
				return observed(ex, asking);
			}
		}
		throw Failures.rethrow(ex);
	}

	D observed(Throwable ex, Rehearsal.@Nullable Asking<D> asking) {
		if (asking != null) {
			asking.observed = this.kind.deny(Ruling.FAILED);
			return this.kind.observed(Verdict.DENY);
		}
		this.failures.log("The observed hook '" + this.entry.name() + "'", ex, "enforced, it would deny");
		return this.kind.observed(Verdict.DENY);
	}

	/** {@code null} denies. */
	@Nullable D undecided(Rehearsal.@Nullable Asking<D> asking) {
		if (this.entry.failMode() == FailMode.OPEN) {
			return this.kind.failedOpen(Ruling.UNDECIDED);
		}
		if (this.entry.observe() && asking != null) {
			asking.observed = this.kind.deny(Ruling.UNDECIDED);
			return this.kind.observed(Verdict.DENY);
		}
		if (this.entry.observe()) {
			this.kind.logger.warn("The observed hook '{}' decided nothing; enforced, it would deny", this.entry.name());
			return this.kind.observed(Verdict.DENY);
		}
		return null;
	}

	D observed(D decision, C call, Rehearsal.@Nullable Asking<D> asking) {
		if (asking != null) {
			asking.observed = decision;
			return (decision.verdict() != Verdict.APPROVE) ? this.kind.observed(decision.verdict())
					: this.kind.approve();
		}
		if (decision.verdict() != Verdict.APPROVE) {
			this.kind.logger.info("The observed hook '{}' would {} the {}", this.entry.name(),
					decision.verdict().value(), this.kind.describe(call));
			return this.kind.observed(decision.verdict());
		}
		if (decision.additionalContext() == null) {
			return decision;
		}
		String failure = decision.failure();
		Verdict observed = decision.observed();
		return (failure != null) ? this.kind.failedOpen(failure)
				: (observed != null) ? this.kind.observed(observed) : this.kind.approve();
	}

}
