package io.agenthooks.run;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.HookDecision;
import io.agenthooks.HookRule;
import io.agenthooks.Verdict;

/**
 * The decision of a hook about a run: approve, deny or abort.
 *
 * @since 0.1.0
 */
public sealed interface RunDecision extends HookDecision {

	/**
	 * This decision with something else that the model should know, as data at the end of
	 * the prompt.
	 * @param additionalContext the text
	 * @return the new decision; this one if it denies or aborts
	 */
	RunDecision withAdditionalContext(String additionalContext);

	/**
	 * This decision with the rule that it follows, for operators and the audit.
	 * @param rule the rule
	 * @return the new decision; this one if it does not object
	 */
	default RunDecision withRule(HookRule rule) {
		return this;
	}

	/**
	 * No objection.
	 * @return the decision
	 */
	static RunDecision approve() {
		return Approve.NO_OBJECTION;
	}

	/**
	 * No objection, because the hook failed and is configured to let runs begin then.
	 * @param failure what failed, without secrets
	 * @return the decision
	 */
	static RunDecision failedOpen(String failure) {
		return new Approve(HookDecision.reasonOf(failure), null, null);
	}

	/**
	 * No objection, because the hook only observes.
	 * @param verdict the verdict if the hook were enforced
	 * @return the decision
	 */
	static RunDecision observed(Verdict verdict) {
		return new Approve(null, verdict, null);
	}

	/**
	 * The run must not begin.
	 * @param reason why; the caller gets to read it
	 * @return the decision
	 */
	static RunDecision deny(String reason) {
		return new Deny(reason, null);
	}

	/**
	 * The run must not begin, and neither may anything else under its id.
	 * @param reason why; the caller gets to read it
	 * @return the decision
	 */
	static RunDecision abortRun(String reason) {
		return new Abort(reason, null);
	}

	/**
	 * No objection.
	 *
	 * @param failure what failed, if the hook failed open; otherwise {@code null}
	 * @param observed what a hook that only observes would have decided; otherwise
	 * {@code null}
	 * @param additionalContext what else the model should know, or {@code null}
	 * @since 0.1.0
	 */
	record Approve(@Nullable String failure, @Nullable Verdict observed,
			@Nullable String additionalContext) implements RunDecision {

		private static final Approve NO_OBJECTION = new Approve(null, null, null);

		/** Create the decision; the failure becomes one safe line. */
		public Approve {
			failure = (failure != null) ? HookDecision.reasonOf(failure) : null;
			additionalContext = HookDecision.contextOf(additionalContext);
		}

		@Override
		public Verdict verdict() {
			return Verdict.APPROVE;
		}

		@Override
		public RunDecision withAdditionalContext(String additionalContext) {
			return new Approve(this.failure, this.observed, additionalContext);
		}

	}

	/**
	 * The run must not begin.
	 *
	 * @param reason why, as one safe line
	 * @param rule the rule by which it is so, or {@code null} if the hook names none
	 * @since 0.1.0
	 */
	record Deny(String reason, @Nullable HookRule rule) implements RunDecision {

		/** Create the decision; the reason becomes one safe line. */
		public Deny {
			reason = HookDecision.reasonOf(reason);
		}

		@Override
		public RunDecision withRule(HookRule rule) {
			return new Deny(this.reason, rule);
		}

		@Override
		public Verdict verdict() {
			return Verdict.DENY;
		}

		@Override
		public RunDecision withAdditionalContext(String additionalContext) {
			return this;
		}

	}

	/**
	 * The run must not begin, and neither may anything else under its id.
	 *
	 * @param reason why, as one safe line
	 * @param rule the rule by which it is so, or {@code null} if the hook names none
	 * @since 0.1.0
	 */
	record Abort(String reason, @Nullable HookRule rule) implements RunDecision {

		/** Create the decision; the reason becomes one safe line. */
		public Abort {
			reason = HookDecision.reasonOf(reason);
		}

		@Override
		public RunDecision withRule(HookRule rule) {
			return new Abort(this.reason, rule);
		}

		@Override
		public Verdict verdict() {
			return Verdict.ABORT;
		}

		@Override
		public AbortScope scope() {
			return AbortScope.RUN;
		}

		@Override
		public RunDecision withAdditionalContext(String additionalContext) {
			return this;
		}

	}

}
