package io.agenthooks.test;

import java.util.List;

import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.Verdict;
import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;

/**
 * Assertions about a run. A message says what became of the run, by which hook and why;
 * it shows answers only where the assertion is about them.
 *
 * @since 0.1.0
 */
public final class TestedRunAssert extends HookedAssert<TestedRunAssert, TestedRun> {

	TestedRunAssert(TestedRun actual) {
		super(actual, TestedRunAssert.class);
	}

	/**
	 * Verify that no hook objected, so that the run began. It may have failed.
	 * @return this
	 */
	public TestedRunAssert isApproved() {
		return check(verdict() == Verdict.APPROVE, "to be approved");
	}

	/**
	 * Verify that a hook let the run not begin.
	 * @return this
	 */
	public TestedRunAssert isDenied() {
		return check(status() == RunStatus.DENIED, "to be denied");
	}

	/**
	 * Verify that a hook aborted the run: before it began, or at a call of it.
	 * @return this
	 */
	public TestedRunAssert isAborted() {
		return check(status() == RunStatus.ABORTED, "to be aborted");
	}

	/**
	 * Verify that the agent answered.
	 * @return this
	 */
	public TestedRunAssert hasSucceeded() {
		return check(status() == RunStatus.SUCCEEDED, "to succeed");
	}

	/**
	 * Verify that the run began and ended with an exception.
	 * @return this
	 */
	public TestedRunAssert hasFailed() {
		return check(status() == RunStatus.FAILED, "to begin and fail");
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
	 * Verify what the model is told in addition to the prompt.
	 * @param text part of what hooks want the model to know
	 * @return this
	 */
	public TestedRunAssert hasAdditionalContextContaining(String text) {
		String context = tested().additionalContext();
		return check(context != null && context.contains(text),
				"to have an additional context with\n  \"" + text + '"');
	}

	/**
	 * Verify what happened to the run.
	 * @param events the types of all its events, in order
	 * @return this
	 */
	@SafeVarargs
	@SuppressWarnings("varargs") // a list of classes only
	public final TestedRunAssert hasEvents(Class<? extends RunEvent>... events) {
		return checkEvents(List.of(events));
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
			case CANCELLED -> "it was cancelled";
		};
	}

	@Override
	Verdict verdict() {
		return outcome().decision().verdict();
	}

	@Override
	@Nullable String reason() {
		return (verdict() == Verdict.DENY || verdict() == Verdict.ABORT) ? outcome().decision().reason() : null;
	}

	@Override
	@Nullable AbortScope scope() {
		return outcome().decision().scope();
	}

	@Override
	@Nullable String decidedBy() {
		return outcome().decidedBy();
	}

	@Override
	List<String> failedOpen() {
		return outcome().failedOpen();
	}

	@Override
	List<String> wouldDeny() {
		return outcome().wouldDeny();
	}

	@Override
	List<String> replacedBy() {
		return List.of();
	}

	@Override
	List<String> failedHooks() {
		return tested().events()
			.stream()
			.filter(RunEvent.HookFailed.class::isInstance)
			.map(RunEvent.HookFailed.class::cast)
			.map((failed) -> failed.hook() + " (" + failed.failure() + ")")
			.toList();
	}

	@Override
	@Nullable Exception failure() {
		return tested().failure();
	}

	@Override
	List<?> events() {
		return tested().events();
	}

	private RunOutcome outcome() {
		return tested().outcome();
	}

	private RunStatus status() {
		return outcome().status();
	}

}
