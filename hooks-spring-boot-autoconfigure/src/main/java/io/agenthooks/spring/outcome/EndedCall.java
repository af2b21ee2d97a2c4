package io.agenthooks.spring.outcome;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookOutcome;
import io.agenthooks.HookRule;
import io.agenthooks.Verdict;
import io.agenthooks.Withheld;
import io.agenthooks.toolcall.Approval;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * The end of a call of any kind.
 *
 * @param verdict what the hooks decided together
 * @param reason why they objected, or {@code null}
 * @param scope how much an abort ended, or {@code null}
 * @param decidedBy whose decision that is, a hook or the approver, or {@code null}
 * @param rule by which rule, also that of the hook that asked the approver, or
 * {@code null}
 * @param status how the call ended
 * @param failure the class of the exception that reached the caller, or {@code null}
 * @param nanos how long it took, in nanoseconds
 * @param replacedBy the hooks that replaced or withheld the result
 * @param failedOpen the hooks that failed while the call passed
 * @param wouldDeny the hooks that only observed, and would have denied
 * @param withheld why hooks withheld the result
 * @since 0.1.0
 */
public record EndedCall(String verdict, @Nullable String reason, @Nullable String scope, @Nullable String decidedBy,
		@Nullable HookRule rule, String status, @Nullable String failure, long nanos, List<String> replacedBy,
		List<String> failedOpen, List<String> wouldDeny, List<Withheld> withheld) {

	/** The "answer" where there is no approver: there the hook that asked has denied. */
	private static final String NOBODY = ToolApprover.nobody().name();

	public static EndedCall of(HookOutcome outcome) {
		return new EndedCall(outcome.decision().verdict().value(), outcome.decision().reason(),
				(outcome.decision().scope() != null) ? outcome.decision().scope().name() : null, decidedBy(outcome),
				outcome.rule(), outcome.status().name().toLowerCase(Locale.ROOT),
				(outcome.failure() != null) ? outcome.failure().getClass().getName() : null,
				outcome.duration().toNanos(), outcome.replacedBy(), outcome.failedOpen(), outcome.wouldDeny(),
				outcome.withheld());
	}

	/** The decider: the approver if it denied, and not the hook that only asked. */
	private static @Nullable String decidedBy(HookOutcome outcome) {
		Approval approval = (outcome instanceof ToolOutcome call) ? call.approval() : null;
		Verdict verdict = outcome.decision().verdict();
		boolean byApprover = approval != null && (verdict == Verdict.DENY || verdict == Verdict.ABORT)
				&& approval.answer() == verdict && approval.askedBy().equals(outcome.decidedBy());
		return (approval != null && byApprover && !approval.approver().equals(NOBODY)) ? approval.approver()
				: outcome.decidedBy();
	}

}
