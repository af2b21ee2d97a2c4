package io.agenthooks.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.pattern.Budget;

/**
 * Takes secrets and personal data out of prompts before the model gets them, of whatever
 * role a message is. It searches texts, not images, nor the arguments of calls of tools
 * that the model itself made before. A prompt that is too large to be searched in about a
 * quarter of a second is denied, and so is one that holds something if the strategy is to
 * deny.
 *
 * @since 0.1.0
 */
public final class RedactLlmHook implements PreLlmHook {

	private final Redactor redactor;

	/**
	 * Create a hook.
	 * @param config what to take out, and what to put into its place
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public RedactLlmHook(RedactConfig config) {
		this.redactor = new Redactor(config);
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		List<LlmMessage> messages = new ArrayList<>(call.messages().size());
		try {
			Budget budget = new Budget();
			if (this.redactor.isDenying()) {
				return decide(call.messages().stream().map(LlmMessage::text).toList(), budget);
			}
			for (LlmMessage message : call.messages()) {
				messages.add(message.withText(this.redactor.redact(message.text(), budget)));
			}
		}
		catch (Budget.ExhaustedException ex) {
			return LlmDecision.deny("The prompt is too large to be searched for what must not be seen");
		}
		return (messages.equals(call.messages())) ? LlmDecision.approve()
				: LlmDecision.modify(call.withMessages(messages));
	}

	private LlmDecision decide(List<String> texts, Budget budget) {
		Set<String> found = this.redactor.find(texts, budget);
		return (found.isEmpty()) ? LlmDecision.approve()
				: LlmDecision.deny("The prompt holds what must not be seen: " + String.join(", ", found));
	}

	/**
	 * The redaction depends on the call alone, so what a later hook adds is seen, too.
	 */
	@Override
	public boolean isRepeatable() {
		return true;
	}

}
