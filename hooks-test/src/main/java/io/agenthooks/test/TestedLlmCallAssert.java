package io.agenthooks.test;

import java.util.List;
import java.util.Map;

import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;

/**
 * Assertions about a call of a model. A message says what became of the call, by which
 * hook and why; it shows prompts and responses only where the assertion is about them.
 *
 * @since 0.1.0
 */
public final class TestedLlmCallAssert extends CallAssert<TestedLlmCallAssert, TestedLlmCall, LlmCallEvent> {

	TestedLlmCallAssert(TestedLlmCall actual) {
		super(actual, TestedLlmCallAssert.class, "the model", "was asked", "a prompt");
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
	 * @param model the name of the model, or {@code null} if it is unknown
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

	@Override
	String noun() {
		return "the model call";
	}

	@Override
	@Nullable String failedHook(LlmCallEvent event) {
		return (event instanceof LlmCallEvent.HookFailed failed) ? failed.hook() + " (" + failed.failure() + ")" : null;
	}

	private LlmOutcome outcome() {
		return tested().outcome();
	}

}
