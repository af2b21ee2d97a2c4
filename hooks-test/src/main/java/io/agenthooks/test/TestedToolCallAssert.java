package io.agenthooks.test;

import java.util.List;
import java.util.Map;

import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Assertions about a call. A message says what became of the call, by which hook and why;
 * it shows arguments and results only where the assertion is about them.
 *
 * @since 0.1.0
 */
public final class TestedToolCallAssert extends CallAssert<TestedToolCallAssert, TestedToolCall, ToolCallEvent> {

	TestedToolCallAssert(TestedToolCall actual) {
		super(actual, TestedToolCallAssert.class, "the tool", "ran", "arguments");
	}

	/**
	 * Verify that the call was refused because tools are switched off.
	 * @return this
	 */
	public TestedToolCallAssert isDisabled() {
		return check(outcome().status() == ToolCallStatus.DISABLED, "to be refused because tools are switched off");
	}

	/**
	 * Verify that the call waits for people and the turn has ended.
	 * @return this
	 */
	public TestedToolCallAssert isPending() {
		return check(outcome().status() == ToolCallStatus.PENDING, "to wait for people");
	}

	/**
	 * Verify the arguments as the hooks left them.
	 * @param arguments all arguments
	 * @return this
	 */
	public TestedToolCallAssert toArguments(Map<String, ? extends @Nullable Object> arguments) {
		Map<String, @Nullable Object> actual = outcome().effective().arguments();
		Map<String, @Nullable Object> expected = outcome().effective().withArguments(arguments).arguments();
		return checkEffective("the arguments", actual, expected);
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
		ToolResult result = tested().result();
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
	 * Verify that a hook asked a person to approve the call, whatever the answer was.
	 * @param text part of the question
	 * @return this
	 */
	public TestedToolCallAssert hasAskedForApproval(String text) {
		List<String> questions = tested().events()
			.stream()
			.filter(ToolCallEvent.ApprovalRequested.class::isInstance)
			.map((event) -> ((ToolCallEvent.ApprovalRequested) event).question().question())
			.toList();
		String asked = (questions.isEmpty()) ? "\nbut no person was asked" : "\nbut the question was\n  " + questions;
		return check(questions.stream().anyMatch((question) -> question.contains(text)),
				"to ask for approval with\n  \"" + text + '"' + asked);
	}

	@Override
	String noun() {
		return "the call of the tool '" + outcome().requested().tool() + "'";
	}

	@Override
	@Nullable String failedHook(ToolCallEvent event) {
		return (event instanceof ToolCallEvent.HookFailed failed) ? failed.hook() + " (" + failed.failure() + ")"
				: null;
	}

	private ToolOutcome outcome() {
		return tested().outcome();
	}

}
