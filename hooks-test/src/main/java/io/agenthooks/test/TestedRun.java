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
public final class TestedRun implements AssertProvider<TestedRunAssert> {

	private final RunOutcome outcome;

	private final @Nullable String additionalContext;

	private final @Nullable Exception failure;

	private final List<RunEvent> events;

	TestedRun(RunOutcome outcome, @Nullable String additionalContext, @Nullable Exception failure,
			List<RunEvent> events) {
		this.outcome = outcome;
		this.additionalContext = additionalContext;
		this.failure = failure;
		this.events = List.copyOf(events);
	}

	/**
	 * How the run ended, as post-run hooks see it.
	 * @return the outcome
	 */
	public RunOutcome outcome() {
		return this.outcome;
	}

	/**
	 * What hooks want the model to know in addition to the prompt, as it reaches the
	 * model: marked as data.
	 * @return the text, or {@code null} if there is none
	 */
	public @Nullable String additionalContext() {
		return this.additionalContext;
	}

	/**
	 * The exception that reached the caller: that of the agent, or of a hook that let the
	 * run not begin.
	 * @return the exception, or {@code null} if the agent answered
	 */
	public @Nullable Exception failure() {
		return this.failure;
	}

	/**
	 * Everything that happened to the run, in order.
	 * @return the events; none if the hooks are switched off
	 */
	public List<RunEvent> events() {
		return this.events;
	}

	/**
	 * Use {@code assertThat(run)} instead.
	 */
	@Override
	public TestedRunAssert assertThat() {
		return new TestedRunAssert(this);
	}

	/**
	 * The run without prompt, result and failure.
	 */
	@Override
	public String toString() {
		return "TestedRun[" + this.outcome + "]";
	}

}
