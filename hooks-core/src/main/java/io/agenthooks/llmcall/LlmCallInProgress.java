package io.agenthooks.llmcall;

import java.util.Objects;
import java.util.concurrent.CancellationException;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.Ending;
import io.agenthooks.chain.Nesting;
import io.agenthooks.chain.Passage;

/**
 * A model call that the hooks have decided about, until it ends, once, on any thread.
 * What comes after the first end changes nothing.
 *
 * @since 0.1.0
 */
public final class LlmCallInProgress {

	private final Passage<LlmCall, LlmResponse, LlmDecision, LlmCallEvent> passage;

	private final @Nullable LlmResponse settled;

	LlmCallInProgress(Passage<LlmCall, LlmResponse, LlmDecision, LlmCallEvent> passage, @Nullable LlmResponse settled) {
		this.passage = passage;
		this.settled = settled;
	}

	/**
	 * The call as the model has to get it.
	 * @return the call as the hooks left it
	 */
	public LlmCall call() {
		return this.passage.call();
	}

	/**
	 * Return the response of a hook in place of the model.
	 * @return the response if a hook denied or answered the call, which then has ended;
	 * otherwise {@code null}
	 */
	public @Nullable LlmResponse settled() {
		return this.settled;
	}

	/**
	 * Whether a hook may replace the response.
	 * @return {@code false} if it may be shown as it comes
	 */
	public boolean hasResponseHooks() {
		return this.passage.mayReplaceResult();
	}

	/**
	 * End the call with what the model answered.
	 * @param response the response
	 * @return what the agent gets: the response, or what hooks put into its place
	 * @throws LlmCallAbortedException if a hook ends the turn or the run
	 * @throws CancellationException if the call has ended already
	 */
	public LlmResponse finish(LlmResponse response) {
		Objects.requireNonNull(response, "'response' must not be null");
		return Nesting.ofThisThread().reenter(() -> this.passage.finish(Ending.SUCCEEDED, response));
	}

	/**
	 * End the call with what went wrong when the model was asked.
	 * @param failure what went wrong
	 */
	public void fail(Throwable failure) {
		end(Ending.FAILED, failure);
	}

	/** End the call because no caller waits for its response any more. */
	public void cancel() {
		end(Ending.CANCELLED, null);
	}

	private void end(Ending ending, @Nullable Throwable failure) {
		Nesting.ofThisThread().<@Nullable Object>reenter(() -> {
			this.passage.end(ending, null, failure);
			return null;
		});
	}

}
