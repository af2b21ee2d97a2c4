package io.agenthooks.llmcall;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookOutcome;
import io.agenthooks.Withheld;

/**
 * The end of a model call, as post-call hooks see it.
 *
 * @param requested the call as the agent made it
 * @param effective the call as the hooks left it; what the model got if it was asked
 * @param decision what the hooks decided together
 * @param decidedBy the name of the hook whose decision that is, or {@code null} if none
 * objected
 * @param status how the call ended
 * @param originalResponse what the model or a hook answered, before any
 * {@link LlmResponseHook} replaced it; {@code null} if there was nothing
 * @param response what the agent got, or {@code null} if an exception
 * @param failure the exception that reached the caller, or {@code null}
 * @param duration how long the call took, hooks included
 * @param replacedBy the hooks that replaced or withheld the response, in order
 * @param failedOpen the hooks that failed while the call passed nevertheless
 * @param wouldDeny the hooks that only observed, and would have denied or aborted
 * @param withheld why hooks withheld the response, in order
 * @since 0.1.0
 */
public record LlmOutcome(LlmCall requested, LlmCall effective, LlmDecision decision, @Nullable String decidedBy,
		LlmCallStatus status, @Nullable LlmResponse originalResponse, @Nullable LlmResponse response,
		@Nullable Throwable failure, Duration duration, List<String> replacedBy, List<String> failedOpen,
		List<String> wouldDeny, List<Withheld> withheld) implements HookOutcome {

	public LlmOutcome {
		replacedBy = List.copyOf(replacedBy);
		failedOpen = List.copyOf(failedOpen);
		wouldDeny = List.copyOf(wouldDeny);
		withheld = List.copyOf(withheld);
	}

	/** The outcome without messages, response and failure, which may be secret. */
	@Override
	public String toString() {
		return "LlmOutcome[effective=%s, verdict=%s, decidedBy=%s, status=%s, duration=%s, replacedBy=%s, failedOpen=%s, wouldDeny=%s]"
			.formatted(this.effective, this.decision.verdict().value(), this.decidedBy, this.status.value(),
					this.duration, this.replacedBy, this.failedOpen, this.wouldDeny);
	}

}
