package io.agenthooks.redact;

import java.util.Set;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.pattern.Budget;

/**
 * Takes secrets and personal data out of the text of responses before the agent gets it.
 * The tools that the model wants to call stay as they are: hooks for tool calls see them.
 * A response that is too large to be searched in about a quarter of a second is withheld,
 * and so is one that holds something if the strategy is to deny.
 *
 * @since 0.1.0
 */
public final class RedactLlmResponseHook implements LlmResponseHook {

	private final Redactor redactor;

	/**
	 * Create a hook.
	 * @param config what to take out, and what to put into its place
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public RedactLlmResponseHook(RedactConfig config) {
		this.redactor = new Redactor(config);
	}

	@Override
	public LlmDecision onResponse(LlmCall call, LlmResponse response) {
		try {
			if (this.redactor.isDenying()) {
				Set<String> found = this.redactor.find(response.text(), new Budget());
				return (found.isEmpty()) ? LlmDecision.approve()
						: LlmDecision.deny("The response holds what must not be seen: " + String.join(", ", found));
			}
			String text = this.redactor.redact(response.text(), new Budget());
			return (text.equals(response.text())) ? LlmDecision.approve()
					: LlmDecision.respond(response.withText(text));
		}
		catch (Budget.ExhaustedException ex) {
			return LlmDecision.deny("The response is too large to be searched for what must not be seen");
		}
	}

}
