package io.agenthooks.run;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.chain.Ending;
import io.agenthooks.chain.Nesting;
import io.agenthooks.chain.Passage;
import io.agenthooks.llmcall.LlmUsage;

/**
 * A run that the hooks let begin, until it ends, once, on any thread. What comes after
 * the first end changes nothing.
 *
 * @since 0.1.0
 */
public final class RunInProgress {

	private final Passage<AgentRun, RunKind.Answer, RunDecision, RunEvent> passage;

	RunInProgress(Passage<AgentRun, RunKind.Answer, RunDecision, RunEvent> passage) {
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
	 * Additional context of hooks for the model, marked as data. It belongs at the end of
	 * the prompt, behind text that is {@linkplain AdditionalContext#neutralize
	 * neutralized}. The mark is another one each time.
	 * @return the text, or {@code null} if there is none
	 */
	public @Nullable String additionalContext() {
		String context = this.passage.additionalContext();
		return (context != null) ? AdditionalContext.mark(context, run().context().runId()) : null;
	}

	/**
	 * End the run with what the agent answered.
	 * @param result the answer
	 * @param usage the tokens of all its model calls, or {@code null} if nobody counted
	 * them
	 */
	public void finish(String result, @Nullable LlmUsage usage) {
		end(Ending.SUCCEEDED, new RunKind.Answer(result, usage), null);
	}

	/**
	 * End the run with an exception, which may be that of a hook that aborted, or that of
	 * a call that waits for people.
	 * @param failure the exception
	 */
	public void fail(Throwable failure) {
		end(ending(failure), null, failure);
	}

	private static Ending ending(Throwable failure) {
		if (failure instanceof AgentAbortedException aborted) {
			return (aborted.isPending()) ? Ending.PENDING : Ending.ABORTED;
		}
		return Ending.FAILED;
	}

	/** End the run because no caller waits for its result any more. */
	public void cancel() {
		end(Ending.CANCELLED, null, null);
	}

	private void end(Ending ending, RunKind.@Nullable Answer answer, @Nullable Throwable failure) {
		Nesting.ofThisThread().<@Nullable Object>reenter(() -> {
			this.passage.end(ending, answer, failure);
			return null;
		});
	}

}
