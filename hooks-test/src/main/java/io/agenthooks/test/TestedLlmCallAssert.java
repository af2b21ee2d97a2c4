package io.agenthooks.test;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmCallStatus;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;

/**
 * Assertions about a call of a model. A message says what became of the call, by which
 * hook and why; it shows prompts and responses only where the assertion is about them.
 *
 * @since 0.1.0
 */
public final class TestedLlmCallAssert extends HookedAssert<TestedLlmCallAssert, TestedLlmCall> {

	TestedLlmCallAssert(TestedLlmCall actual) {
		super(actual, TestedLlmCallAssert.class);
	}

	/**
	 * Verify that the model was asked what the agent wrote. It may have failed, and its
	 * response may have been replaced.
	 * @return this
	 */
	public TestedLlmCallAssert isApproved() {
		return check(wasAsked() && verdict() == Verdict.APPROVE, "to be approved");
	}

	/**
	 * Verify that the model was asked something that a hook changed. It may have failed,
	 * and its response may have been replaced.
	 * @return this
	 */
	public TestedLlmCallAssert isModified() {
		return check(wasAsked() && verdict() == Verdict.MODIFY, "to be modified");
	}

	/**
	 * Verify that the call was denied.
	 * @return this
	 */
	public TestedLlmCallAssert isDenied() {
		return check(status() == LlmCallStatus.DENIED, "to be denied");
	}

	/**
	 * Verify that a hook answered the call.
	 * @return this
	 */
	public TestedLlmCallAssert isAnswered() {
		return check(status() == LlmCallStatus.ANSWERED, "to be answered");
	}

	/**
	 * Verify that the call ended the turn or the run.
	 * @param scope how much ended
	 * @return this
	 */
	public TestedLlmCallAssert isAborted(AbortScope scope) {
		return checkAborted(scope);
	}

	/**
	 * Verify that the model answered.
	 * @return this
	 */
	public TestedLlmCallAssert hasSucceeded() {
		return check(status() == LlmCallStatus.SUCCEEDED, "to succeed");
	}

	/**
	 * Verify that the model was asked and failed.
	 * @return this
	 */
	public TestedLlmCallAssert hasFailed() {
		return check(status() == LlmCallStatus.FAILED, "to reach the model and fail there");
	}

	/**
	 * Verify the prompt as the hooks left it.
	 * @param messages all messages
	 * @return this
	 */
	public TestedLlmCallAssert toMessages(LlmMessage... messages) {
		return checkEffective("the messages", texts(outcome().effective().messages()), texts(List.of(messages)));
	}

	/**
	 * Verify which model the hooks let the call go to.
	 * @param model the name of the model, or {@code null} if nobody says
	 * @return this
	 */
	public TestedLlmCallAssert toModel(@Nullable String model) {
		return checkEffective("the model", outcome().effective().model(), model);
	}

	/**
	 * Verify the options as the hooks left them.
	 * @param options all options
	 * @return this
	 */
	public TestedLlmCallAssert toOptions(Map<String, Object> options) {
		return checkEffective("the options", outcome().effective().options(), options);
	}

	private static List<String> texts(List<LlmMessage> messages) {
		return messages.stream().map((message) -> message.role().value() + ": " + message.text()).toList();
	}

	private TestedLlmCallAssert checkEffective(String what, @Nullable Object actual, @Nullable Object expected) {
		if (!Objects.equals(actual, expected)) {
			throw failureWithActualExpected(actual, expected, "%s",
					expecting("to have " + what + "\n  " + expected + "\nbut it has\n  " + actual + "\nand "));
		}
		return this;
	}

	/**
	 * Verify what the agent got.
	 * @param text the whole text
	 * @return this
	 */
	public TestedLlmCallAssert withText(String text) {
		text().isEqualTo(text);
		return this;
	}

	/**
	 * Verify what the agent got.
	 * @param text part of the text
	 * @return this
	 */
	public TestedLlmCallAssert withTextContaining(String text) {
		text().contains(text);
		return this;
	}

	/**
	 * Go on with what the agent got: the text of the model or of a hook, or the reason of
	 * a denial.
	 * @return assertions about the text
	 */
	public AbstractStringAssert<?> text() {
		LlmResponse response = tested().response();
		check(response != null, "to have a response");
		return Assertions.assertThat((response != null) ? response.text() : null).as("text of the response");
	}

	/**
	 * Verify that a hook replaced or withheld the response.
	 * @param hook the name of the hook
	 * @return this
	 */
	public TestedLlmCallAssert hasResponseReplacedBy(String hook) {
		return check(outcome().replacedBy().contains(hook), "to have its response replaced by the hook '" + hook + "'");
	}

	/**
	 * Verify what happened to the call.
	 * @param events the types of all its events, in order
	 * @return this
	 */
	@SafeVarargs
	@SuppressWarnings("varargs") // a list of classes only
	public final TestedLlmCallAssert hasEvents(Class<? extends LlmCallEvent>... events) {
		return checkEvents(List.of(events));
	}

	@Override
	String noun() {
		return "the model call";
	}

	@Override
	String whatHappened(String hook) {
		return switch (outcome().status()) {
			case SUCCEEDED,
					FAILED ->
				"the model was asked"
						+ ((verdict() == Verdict.MODIFY) ? ", with a prompt changed by " + hook + "," : "")
						+ ((status() == LlmCallStatus.SUCCEEDED) ? " and succeeded" : " and failed");
			case DENIED -> hook + " denied it: \"" + reason() + '"';
			case ANSWERED -> hook + " answered it";
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
		return outcome().replacedBy();
	}

	@Override
	List<String> failedHooks() {
		return tested().events()
			.stream()
			.filter(LlmCallEvent.HookFailed.class::isInstance)
			.map(LlmCallEvent.HookFailed.class::cast)
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

	private LlmOutcome outcome() {
		return tested().outcome();
	}

	private LlmCallStatus status() {
		return outcome().status();
	}

	private boolean wasAsked() {
		return status() == LlmCallStatus.SUCCEEDED || status() == LlmCallStatus.FAILED;
	}

}
