package io.agenthooks.toolcall;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookOutcome;
import io.agenthooks.HookRule;
import io.agenthooks.Verdict;
import io.agenthooks.Withheld;

/**
 * The end of a tool call, as post-call hooks see it.
 *
 * @param requested the call as the agent made it
 * @param effective the call as the hooks left it; what the tool got if it ran
 * @param decision what the hooks decided together
 * @param decidedBy the name of the hook whose decision that is, or {@code null} if none
 * objected
 * @param status how the call ended
 * @param originalResult what the tool returned or a hook answered, before any
 * {@link ToolResultHook} replaced it; {@code null} if there was nothing
 * @param result what the agent got, or {@code null} if an exception
 * @param failure the exception that the tool threw or that reached the caller, or
 * {@code null}
 * @param duration how long the call took, hooks included
 * @param replacedBy the hooks that replaced or withheld the result, in order
 * @param failedOpen the hooks that failed while the call passed nevertheless
 * @param wouldDeny the hooks that only observed, and would have denied or aborted
 * @param approval what a person said of the call, or {@code null} if none was asked
 * @param withheld why hooks withheld the result, in order
 * @since 0.1.0
 */
public record ToolOutcome(ToolCall requested, ToolCall effective, ToolDecision decision, @Nullable String decidedBy,
		ToolCallStatus status, @Nullable ToolResult originalResult, @Nullable ToolResult result,
		@Nullable Throwable failure, Duration duration, List<String> replacedBy, List<String> failedOpen,
		List<String> wouldDeny, @Nullable Approval approval, List<Withheld> withheld) implements HookOutcome {

	public ToolOutcome {
		replacedBy = List.copyOf(replacedBy);
		failedOpen = List.copyOf(failedOpen);
		wouldDeny = List.copyOf(wouldDeny);
		withheld = List.copyOf(withheld);
	}

	/** By which rule a hook objected, or asked the person who objected. */
	@Override
	public @Nullable HookRule rule() {
		HookRule rule = this.decision.rule();
		boolean byPerson = this.approval != null && this.approval.answer() == this.decision.verdict()
				&& (this.decision.verdict() == Verdict.DENY || this.decision.verdict() == Verdict.ABORT);
		return (rule == null && this.approval != null && byPerson) ? this.approval.question().rule() : rule;
	}

	/**
	 * The outcome of a call that no hook touched.
	 * @param call the call
	 * @param status how the call ended
	 * @param result what the agent got, or {@code null}
	 * @param failure the exception that reached the caller, or {@code null}
	 * @param duration how long the call took
	 * @return the outcome
	 */
	public static ToolOutcome of(ToolCall call, ToolCallStatus status, @Nullable ToolResult result,
			@Nullable Throwable failure, Duration duration) {
		return new ToolOutcome(call, call, ToolDecision.approve(), null, status, result, result, failure, duration,
				List.of(), List.of(), List.of(), null, List.of());
	}

	/** The outcome without arguments, result and failure, which may be secret. */
	@Override
	public String toString() {
		return "ToolOutcome[effective=%s, verdict=%s, decidedBy=%s, status=%s, duration=%s, replacedBy=%s, failedOpen=%s, wouldDeny=%s, approval=%s]"
			.formatted(this.effective, this.decision.verdict().value(), this.decidedBy, this.status.value(),
					this.duration, this.replacedBy, this.failedOpen, this.wouldDeny, this.approval);
	}

}
