package io.agenthooks.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.Verdict;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Assertions about a call. A message says what became of the call, by which hook and why;
 * it shows arguments and results only where the assertion is about them.
 *
 * @since 0.1.0
 */
public final class TestedToolCallAssert extends AbstractAssert<TestedToolCallAssert, TestedToolCall> {

	TestedToolCallAssert(TestedToolCall actual) {
		super(actual, TestedToolCallAssert.class);
	}

	/**
	 * Verify that the tool ran with the arguments of the agent. It may have failed, and
	 * its result may have been replaced.
	 * @return this
	 */
	public TestedToolCallAssert isApproved() {
		return check(ran() && verdict() == Verdict.APPROVE, "to be approved");
	}

	/**
	 * Verify that the tool ran with arguments that a hook, or the approver, changed. It
	 * may have failed, and its result may have been replaced.
	 * @return this
	 */
	public TestedToolCallAssert isModified() {
		return check(ran() && verdict() == Verdict.MODIFY, "to be modified");
	}

	/**
	 * Verify that the call was denied.
	 * @return this
	 */
	public TestedToolCallAssert isDenied() {
		return check(status() == ToolCallStatus.DENIED, "to be denied");
	}

	/**
	 * Verify that a hook answered the call.
	 * @return this
	 */
	public TestedToolCallAssert isAnswered() {
		return check(status() == ToolCallStatus.ANSWERED, "to be answered");
	}

	/**
	 * Verify that the call ended the turn or the run.
	 * @param scope how much ended
	 * @return this
	 */
	public TestedToolCallAssert isAborted(AbortScope scope) {
		return check(outcome().decision() instanceof ToolDecision.Abort abort && abort.scope() == scope,
				"to abort the " + scope.name().toLowerCase(Locale.ROOT));
	}

	/**
	 * Verify that the call was refused because tools are switched off.
	 * @return this
	 */
	public TestedToolCallAssert isDisabled() {
		return check(status() == ToolCallStatus.DISABLED, "to be refused because tools are switched off");
	}

	/**
	 * Verify that the tool ran and did what it was asked to.
	 * @return this
	 */
	public TestedToolCallAssert hasSucceeded() {
		return check(status() == ToolCallStatus.SUCCEEDED, "to succeed");
	}

	/**
	 * Verify that the tool ran and reported a failure, or threw.
	 * @return this
	 */
	public TestedToolCallAssert hasFailed() {
		return check(status() == ToolCallStatus.FAILED, "to reach the tool and fail there");
	}

	/**
	 * Verify which hook denied, answered or aborted the call, or was the last to modify
	 * it.
	 * @param hook the name of the hook
	 * @return this
	 */
	public TestedToolCallAssert byHook(String hook) {
		return check(hook.equals(outcome().decidedBy()), "to be decided by the hook '" + hook + "'");
	}

	/**
	 * Verify why the call was denied or aborted.
	 * @param reason the whole reason
	 * @return this
	 */
	public TestedToolCallAssert withReason(String reason) {
		return check(reason.equals(reason()), "to have the reason\n  \"" + reason + '"');
	}

	/**
	 * Verify why the call was denied or aborted.
	 * @param text part of the reason
	 * @return this
	 */
	public TestedToolCallAssert withReasonContaining(String text) {
		String reason = reason();
		return check(reason != null && reason.contains(text), "to have a reason containing\n  \"" + text + '"');
	}

	/**
	 * Verify the arguments as the hooks left them.
	 * @param arguments all arguments
	 * @return this
	 */
	public TestedToolCallAssert toArguments(Map<String, ? extends @Nullable Object> arguments) {
		Map<String, @Nullable Object> actual = outcome().effective().arguments();
		Map<String, @Nullable Object> expected = outcome().effective().withArguments(arguments).arguments();
		if (!actual.equals(expected)) {
			throw failureWithActualExpected(actual, expected, "%s",
					expecting("to have the arguments\n  " + expected + "\nbut it has\n  " + actual + "\nand "));
		}
		return this;
	}

	/**
	 * Verify what the agent got.
	 * @param content the whole text
	 * @return this
	 */
	public TestedToolCallAssert withContent(String content) {
		content().isEqualTo(content);
		return this;
	}

	/**
	 * Verify what the agent got.
	 * @param text part of the text
	 * @return this
	 */
	public TestedToolCallAssert withContentContaining(String text) {
		content().contains(text);
		return this;
	}

	/**
	 * Go on with what the agent got: the result of the tool or of a hook, or the reason
	 * of a denial.
	 * @return assertions about the text
	 */
	public AbstractStringAssert<?> content() {
		ToolResult result = call().result();
		check(result != null, "to have a result");
		return Assertions.assertThat((result != null) ? result.content() : null)
			.as("content of the result of the tool '%s'", outcome().requested().tool());
	}

	/**
	 * Go on with the exception that reached the caller: that of the tool, or of an abort.
	 * @return assertions about the exception
	 */
	public AbstractThrowableAssert<?, ? extends Throwable> exception() {
		Exception failure = call().failure();
		check(failure != null, "to throw");
		return Assertions.assertThat(failure);
	}

	/**
	 * Verify that a hook replaced or withheld the result.
	 * @param hook the name of the hook
	 * @return this
	 */
	public TestedToolCallAssert hasResultReplacedBy(String hook) {
		return check(outcome().replacedBy().contains(hook), "to have its result replaced by the hook '" + hook + "'");
	}

	/**
	 * Verify that a hook failed, and the call passed it nevertheless.
	 * @param hook the name of the hook
	 * @return this
	 */
	public TestedToolCallAssert hasFailedOpen(String hook) {
		return check(outcome().failedOpen().contains(hook), "to pass the hook '" + hook + "' because it failed open");
	}

	/**
	 * Verify that a hook that only observes would have denied or aborted the call.
	 * @param hook the name of the hook
	 * @return this
	 */
	public TestedToolCallAssert wouldBeDeniedBy(String hook) {
		return check(outcome().wouldDeny().contains(hook), "to pass the hook '" + hook + "' only because it observes");
	}

	/**
	 * Verify that a hook wanted a person to approve the call, whatever the answer was.
	 * @param text part of the question
	 * @return this
	 */
	public TestedToolCallAssert hasAskedForApproval(String text) {
		List<String> questions = call().events()
			.stream()
			.filter(ToolCallEvent.ApprovalRequested.class::isInstance)
			.map((event) -> ((ToolCallEvent.ApprovalRequested) event).question().question())
			.toList();
		String asked = (questions.isEmpty()) ? "\nbut nobody was asked" : "\nbut the question was\n  " + questions;
		return check(questions.stream().anyMatch((question) -> question.contains(text)),
				"to ask for approval with\n  \"" + text + '"' + asked);
	}

	/**
	 * Verify what happened to the call.
	 * @param events the types of all its events, in order
	 * @return this
	 */
	@SafeVarargs
	public final TestedToolCallAssert hasEvents(Class<? extends ToolCallEvent>... events) {
		List<Class<?>> expected = new ArrayList<>();
		for (Class<?> event : events) {
			expected.add(event);
		}
		return check(call().events().stream().map(Object::getClass).toList().equals(expected),
				"to have the events\n  " + names(expected.stream()));
	}

	private TestedToolCallAssert check(boolean holds, String expectation) {
		if (!holds) {
			throw failure("%s", expecting(expectation + "\nbut "));
		}
		return this;
	}

	private String expecting(String expectation) {
		return "\nExpecting the call of the tool '" + outcome().requested().tool() + "' " + expectation + whatHappened()
				+ details();
	}

	private String whatHappened() {
		ToolOutcome outcome = outcome();
		String hook = "the hook '" + outcome.decidedBy() + "'";
		return switch (outcome.status()) {
			case SUCCEEDED, FAILED ->
				"the tool ran" + ((verdict() == Verdict.MODIFY) ? ", with arguments changed by " + hook + "," : "")
						+ ((status() == ToolCallStatus.SUCCEEDED) ? " and succeeded" : " and failed");
			case DENIED -> hook + " denied it: \"" + reason() + '"';
			case ANSWERED -> hook + " answered it";
			case ABORTED -> hook + " aborted the "
					+ ((ToolDecision.Abort) outcome.decision()).scope().name().toLowerCase(Locale.ROOT) + ": \""
					+ reason() + '"';
			case DISABLED -> "tools are switched off";
		};
	}

	private String details() {
		ToolOutcome outcome = outcome();
		Exception failure = call().failure();
		return detail("hooks that replaced the result", outcome.replacedBy())
				+ detail("hooks that failed open", outcome.failedOpen())
				+ detail("hooks that would deny", outcome.wouldDeny()) + detail("hooks that failed", failedHooks())
				+ detail("exception", (failure != null) ? List.of(failure.getClass().getName()) : List.of())
				+ "\n  events: " + names(call().events().stream().map(Object::getClass));
	}

	private static String detail(String title, List<String> names) {
		return (names.isEmpty()) ? "" : "\n  " + title + ": " + String.join(", ", names);
	}

	private List<String> failedHooks() {
		return call().events()
			.stream()
			.filter(ToolCallEvent.HookFailed.class::isInstance)
			.map(ToolCallEvent.HookFailed.class::cast)
			.map((failed) -> failed.hook() + " (" + failed.failure() + ")")
			.toList();
	}

	private static String names(Stream<? extends Class<?>> types) {
		String names = types.map(Class::getSimpleName).collect(Collectors.joining(", "));
		return (names.isEmpty()) ? "none" : names;
	}

	private TestedToolCall call() {
		isNotNull();
		return this.actual;
	}

	private ToolOutcome outcome() {
		return call().outcome();
	}

	private ToolCallStatus status() {
		return outcome().status();
	}

	private boolean ran() {
		return status() == ToolCallStatus.SUCCEEDED || status() == ToolCallStatus.FAILED;
	}

	private Verdict verdict() {
		return outcome().decision().verdict();
	}

	private @Nullable String reason() {
		ToolDecision decision = outcome().decision();
		if (decision instanceof ToolDecision.Deny denial) {
			return denial.reason();
		}
		return (decision instanceof ToolDecision.Abort abort) ? abort.reason() : null;
	}

}
