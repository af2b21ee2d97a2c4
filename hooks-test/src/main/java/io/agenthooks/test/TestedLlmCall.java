package io.agenthooks.test;

import java.util.List;

import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;

/**
 * A call of a model that a test made, and what became of it, for AssertJ's
 * {@code assertThat(hooks.call(..))}.
 *
 * @since 0.1.0
 */
public final class TestedLlmCall implements AssertProvider<TestedLlmCallAssert> {

	private final LlmOutcome outcome;

	private final @Nullable LlmResponse response;

	private final @Nullable Exception failure;

	private final List<LlmCallEvent> events;

	TestedLlmCall(LlmOutcome outcome, @Nullable LlmResponse response, @Nullable Exception failure,
			List<LlmCallEvent> events) {
		this.outcome = outcome;
		this.response = response;
		this.failure = failure;
		this.events = List.copyOf(events);
	}

	/**
	 * How the call ended, as post-call hooks see it.
	 * @return the outcome
	 */
	public LlmOutcome outcome() {
		return this.outcome;
	}

	/**
	 * What the agent got.
	 * @return the response, or {@code null} if there was an exception
	 */
	public @Nullable LlmResponse response() {
		return this.response;
	}

	/**
	 * The exception that reached the caller: that of the model, or of an abort.
	 * @return the exception, or {@code null} if there was a response
	 */
	public @Nullable Exception failure() {
		return this.failure;
	}

	/**
	 * Everything that happened to the call, in order.
	 * @return the events; none if the hooks are switched off
	 */
	public List<LlmCallEvent> events() {
		return this.events;
	}

	/**
	 * Use {@code assertThat(call)} instead.
	 */
	@Override
	public TestedLlmCallAssert assertThat() {
		return new TestedLlmCallAssert(this);
	}

	/**
	 * The call without prompt, response and failure.
	 */
	@Override
	public String toString() {
		return "TestedLlmCall[" + this.outcome + "]";
	}

}
