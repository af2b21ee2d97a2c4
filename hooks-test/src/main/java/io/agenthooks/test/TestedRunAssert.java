package io.agenthooks.test;

import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;

/**
 * Assertions about a run. A message says what became of the run, by which hook and why;
 * it shows answers only where the assertion is about them.
 *
 * @since 0.1.0
 */
public final class TestedRunAssert extends HookedAssert<TestedRunAssert, TestedRun, RunEvent> {

	TestedRunAssert(TestedRun actual) {
		super(actual, TestedRunAssert.class, "to begin and fail");
	}

	/**
	 * Verify that a hook aborted the run: before it began, or at a call of it.
	 * @return this
	 */
	public TestedRunAssert isAborted() {
		return check(outcome().status() == RunStatus.ABORTED, "to be aborted");
	}

	/**
	 * Verify what the agent answered.
	 * @param result the whole answer
	 * @return this
	 */
	public TestedRunAssert withResult(String result) {
		result().isEqualTo(result);
		return this;
	}

	/**
	 * Verify what the agent answered.
	 * @param text part of the answer
	 * @return this
	 */
	public TestedRunAssert withResultContaining(String text) {
		result().contains(text);
		return this;
	}

	/**
	 * Go on with what the agent answered.
	 * @return assertions about the answer
	 */
	public AbstractStringAssert<?> result() {
		String result = outcome().result();
		check(result != null, "to have a result");
		return Assertions.assertThat(result).as("result of the run");
	}

	/**
	 * Verify the additional context of the prompt.
	 * @param text part of what hooks want the model to know
	 * @return this
	 */
	public TestedRunAssert hasAdditionalContextContaining(String text) {
		String context = tested().additionalContext();
		return check(context != null && context.contains(text),
				"to have an additional context with\n  \"" + text + '"');
	}

	@Override
	String noun() {
		return "the run";
	}

	@Override
	String whatHappened(String hook) {
		return switch (outcome().status()) {
			case SUCCEEDED -> "it began and succeeded";
			case FAILED -> "it began and failed";
			case DENIED -> hook + " denied it: \"" + reason() + '"';
			case ABORTED -> aborted(hook);
			case PENDING -> "a call of it waits for people";
			case CANCELLED -> "it was cancelled";
		};
	}

	@Override
	@Nullable String failedHook(RunEvent event) {
		return (event instanceof RunEvent.HookFailed failed) ? failed.hook() + " (" + failed.failure() + ")" : null;
	}

	private RunOutcome outcome() {
		return tested().outcome();
	}

}
