package io.agenthooks.test;

import java.util.List;
import java.util.Map;

import org.assertj.core.api.AbstractStringAssert;
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
public final class TestedToolCallAssert extends HookedAssert<TestedToolCallAssert, TestedToolCall> {

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
		return checkAborted(scope);
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
	 * Verify that a hook replaced or withheld the result.
	 * @param hook the name of the hook
	 * @return this
	 */
	public TestedToolCallAssert hasResultReplacedBy(String hook) {
		return check(outcome().replacedBy().contains(hook), "to have its result replaced by the hook '" + hook + "'");
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
	@SuppressWarnings("varargs") // a list of classes only
	public final TestedToolCallAssert hasEvents(Class<? extends ToolCallEvent>... events) {
		return checkEvents(List.of(events));
	}

	@Override
	String noun() {
		return "the call of the tool '" + outcome().requested().tool() + "'";
	}

	@Override
	String whatHappened(String hook) {
		return switch (outcome().status()) {
			case SUCCEEDED, FAILED ->
				"the tool ran" + ((verdict() == Verdict.MODIFY) ? ", with arguments changed by " + hook + "," : "")
						+ ((status() == ToolCallStatus.SUCCEEDED) ? " and succeeded" : " and failed");
			case DENIED -> hook + " denied it: \"" + reason() + '"';
			case ANSWERED -> hook + " answered it";
			case ABORTED -> aborted(hook);
			case DISABLED -> "tools are switched off";
		};
	}

	@Override
	Verdict verdict() {
		return outcome().decision().verdict();
	}

	@Override
	@Nullable String reason() {
		ToolDecision decision = outcome().decision();
		if (decision instanceof ToolDecision.Deny denial) {
			return denial.reason();
		}
		return (decision instanceof ToolDecision.Abort abort) ? abort.reason() : null;
	}

	@Override
	@Nullable AbortScope scope() {
		return (outcome().decision() instanceof ToolDecision.Abort abort) ? abort.scope() : null;
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
		return outcome().replacedBy();
	}

	@Override
	List<String> failedHooks() {
		return call().events()
			.stream()
			.filter(ToolCallEvent.HookFailed.class::isInstance)
			.map(ToolCallEvent.HookFailed.class::cast)
			.map((failed) -> failed.hook() + " (" + failed.failure() + ")")
			.toList();
	}

	@Override
	@Nullable Exception failure() {
		return call().failure();
	}

	@Override
	List<?> events() {
		return call().events();
	}

	private TestedToolCall call() {
		return tested();
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

}
