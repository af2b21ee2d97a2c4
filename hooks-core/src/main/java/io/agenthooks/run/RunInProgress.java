package io.agenthooks.run;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.Verdict;
import io.agenthooks.chain.HookDecision;
import io.agenthooks.chain.Passage;
import io.agenthooks.llmcall.LlmUsage;

/**
 * A run that the hooks let begin, until it ends. Whoever runs the agent ends it, once;
 * what comes after the first end changes nothing. Any thread may end it.
 *
 * @since 0.1.0
 */
public final class RunInProgress {

	private final RunHookChain chain;

	private final Passage<AgentRun, RunDecision, RunEvent> passage;

	RunInProgress(RunHookChain chain, Passage<AgentRun, RunDecision, RunEvent> passage) {
		this.chain = chain;
		this.passage = passage;
	}

	/**
	 * The run.
	 * @return the run
	 */
	public AgentRun run() {
		return this.passage.call();
	}

	/**
	 * What hooks want the model to know besides, marked as data: it belongs at the end of
	 * the prompt, behind text that is {@linkplain AdditionalContext#neutralize
	 * neutralized}. The mark is another one each time.
	 * @return the text, or {@code null} if there is none
	 */
	public @Nullable String additionalContext() {
		String context = this.passage.additionalContext();
		return (context != null) ? AdditionalContext.mark(context, run().context().runId()) : null;
	}

	void begin() {
		this.passage.tell(new RunEvent.Started(run()));
		this.passage.decide(this.chain.preRun, PreRunHook::preRun, (hook) -> false);
		RunDecision decision = this.passage.decision();
		if (decision.verdict() == Verdict.APPROVE) {
			return;
		}
		RunStatus status = (decision.verdict() == Verdict.ABORT) ? RunStatus.ABORTED : RunStatus.DENIED;
		Error fatal = this.passage.fatal();
		if (fatal != null) {
			end(status, null, null, fatal);
			throw fatal;
		}
		RunBlockedException ex = new RunBlockedException(Objects.requireNonNull(this.passage.decidedBy()),
				HookDecision.reasonOf(decision.reason()));
		end(status, null, null, ex);
		throw ex;
	}

	/**
	 * End the run with what the agent answered.
	 * @param result the answer
	 * @param usage the tokens of all its model calls, or {@code null} if nobody counted
	 * them
	 */
	public void finish(String result, @Nullable LlmUsage usage) {
		end(RunStatus.SUCCEEDED, result, usage, null);
	}

	/**
	 * End the run with an exception, which may be that of a hook that aborted.
	 * @param failure the exception
	 */
	public void fail(Throwable failure) {
		end((failure instanceof AgentAbortedException) ? RunStatus.ABORTED : RunStatus.FAILED, null, null, failure);
	}

	/**
	 * End the run because nobody waits for its result any more.
	 */
	public void cancel() {
		end(RunStatus.CANCELLED, null, null, null);
	}

	private void end(RunStatus status, @Nullable String result, @Nullable LlmUsage usage, @Nullable Throwable failure) {
		if (!this.passage.claimEnd()) {
			return;
		}
		RunOutcome outcome = new RunOutcome(run(), this.passage.decision(), this.passage.decidedBy(), status, result,
				usage, failure, this.passage.duration(), this.passage.failedOpen(), this.passage.wouldDeny());
		this.passage.end(this.chain.postRun, PostRunHook::postRun, outcome, RunEvent.Ended::new);
	}

}
