package io.agenthooks.run;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.Verdict;
import io.agenthooks.chain.HookDecision;

/**
 * What a hook decided about a run: approve, deny or abort.
 *
 * @param verdict the name of this kind of decision
 * @param reason why, as one safe line: of a denial or an abort the reason, of an approval
 * what failed while the run begins nevertheless; otherwise {@code null}
 * @param additionalContext what the model should know besides, or {@code null}
 * @since 0.1.0
 */
public record RunDecision(Verdict verdict, @Nullable String reason,
		@Nullable String additionalContext) implements HookDecision {

	private static final RunDecision NO_OBJECTION = new RunDecision(Verdict.APPROVE, null, null);

	/**
	 * Create a decision; the reason becomes one safe line.
	 * @throws IllegalArgumentException if the verdict is another
	 */
	public RunDecision {
		if (verdict != Verdict.APPROVE && verdict != Verdict.DENY && verdict != Verdict.ABORT) {
			throw new IllegalArgumentException("No such decision about a run");
		}
		reason = (reason != null || verdict != Verdict.APPROVE) ? HookDecision.reasonOf(reason) : null;
		additionalContext = HookDecision.contextOf(additionalContext);
	}

	/**
	 * No objection.
	 * @return the decision
	 */
	public static RunDecision approve() {
		return NO_OBJECTION;
	}

	/**
	 * No objection, because the hook failed and is configured to let runs begin then.
	 * @param failure what failed, without secrets
	 * @return the decision
	 */
	public static RunDecision failedOpen(String failure) {
		return new RunDecision(Verdict.APPROVE, HookDecision.reasonOf(failure), null);
	}

	/**
	 * The run must not begin.
	 * @param reason why; the caller gets to read it
	 * @return the decision
	 */
	public static RunDecision deny(String reason) {
		return new RunDecision(Verdict.DENY, reason, null);
	}

	/**
	 * The run must not begin, and neither may anything else under its id.
	 * @param reason why; the caller gets to read it
	 * @return the decision
	 */
	public static RunDecision abortRun(String reason) {
		return new RunDecision(Verdict.ABORT, reason, null);
	}

	/**
	 * This decision with something that the model should know besides: it reaches the
	 * model as data at the end of the prompt.
	 * @param additionalContext the text
	 * @return the new decision
	 */
	public RunDecision withAdditionalContext(String additionalContext) {
		return new RunDecision(this.verdict, this.reason, additionalContext);
	}

	@Override
	public @Nullable AbortScope scope() {
		return (this.verdict == Verdict.ABORT) ? AbortScope.RUN : null;
	}

}
