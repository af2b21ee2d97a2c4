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
public final class TestedLlmCall extends Tested<LlmOutcome, LlmCallEvent>
		implements AssertProvider<TestedLlmCallAssert> {

	private final @Nullable LlmResponse response;

	TestedLlmCall(LlmOutcome outcome, @Nullable LlmResponse response, @Nullable Exception failure,
			List<LlmCallEvent> events) {
		super(outcome, failure, events);
		this.response = response;
	}

	/**
	 * Return the response that the agent got.
	 * @return the response, or {@code null} if there was an exception
	 */
	public @Nullable LlmResponse response() {
		return this.response;
	}

	/**
	 * Use {@code assertThat(call)} instead.
	 */
	@Override
	public TestedLlmCallAssert assertThat() {
		return new TestedLlmCallAssert(this);
	}

}
