package io.agenthooks.test;

import java.util.List;

import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunOutcome;

/**
 * A run that a test made, and what became of it, for AssertJ's
 * {@code assertThat(hooks.run(..))}.
 *
 * @since 0.1.0
 */
public final class TestedRun extends Tested<RunOutcome, RunEvent> implements AssertProvider<TestedRunAssert> {

	private final @Nullable String additionalContext;

	TestedRun(RunOutcome outcome, @Nullable String additionalContext, @Nullable Exception failure,
			List<RunEvent> events) {
		super(outcome, failure, events);
		this.additionalContext = additionalContext;
	}

	/**
	 * Return the additional context for the model beside the prompt, as it reaches the
	 * model: marked as data.
	 * @return the text, or {@code null} if there is none
	 */
	public @Nullable String additionalContext() {
		return this.additionalContext;
	}

	/**
	 * Use {@code assertThat(run)} instead.
	 */
	@Override
	public TestedRunAssert assertThat() {
		return new TestedRunAssert(this);
	}

}
