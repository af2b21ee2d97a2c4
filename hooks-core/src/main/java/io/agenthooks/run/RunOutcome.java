package io.agenthooks.run;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookOutcome;
import io.agenthooks.llmcall.LlmUsage;

/**
 * The end of a run, as post-run hooks see it.
 *
 * @param run the run
 * @param decision what the hooks decided together
 * @param decidedBy the name of the hook whose decision that is, or {@code null} if none
 * objected
 * @param status how the run ended
 * @param result what the agent answered, or {@code null} if an exception ended the run
 * @param usage the tokens of all its model calls, or {@code null} if nobody counted them
 * @param failure the exception that reached the caller, or {@code null}
 * @param duration how long the run took, hooks included
 * @param failedOpen the hooks that failed while the run began nevertheless
 * @param wouldDeny the hooks that only observed, and would have denied or aborted
 * @since 0.1.0
 */
public record RunOutcome(AgentRun run, RunDecision decision, @Nullable String decidedBy, RunStatus status,
		@Nullable String result, @Nullable LlmUsage usage, @Nullable Throwable failure, Duration duration,
		List<String> failedOpen, List<String> wouldDeny) implements HookOutcome {

	public RunOutcome {
		failedOpen = List.copyOf(failedOpen);
		wouldDeny = List.copyOf(wouldDeny);
	}

	/** The outcome without prompt, result and failure, which may be secret. */
	@Override
	public String toString() {
		return "RunOutcome[run=%s, verdict=%s, decidedBy=%s, status=%s, usage=%s, duration=%s, failedOpen=%s, wouldDeny=%s]"
			.formatted(this.run, this.decision.verdict().value(), this.decidedBy, this.status.value(), this.usage,
					this.duration, this.failedOpen, this.wouldDeny);
	}

}
