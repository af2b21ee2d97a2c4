package io.agenthooks.llmcall;

import java.util.Locale;

import io.agenthooks.AbortScope;
import io.agenthooks.AgentAbortedException;

/**
 * A hook ended more than the model call: the turn or the run of the agent.
 *
 * @since 0.1.0
 */
public final class LlmCallAbortedException extends AgentAbortedException {

	private final transient LlmCall call;

	LlmCallAbortedException(LlmCall call, String hook, String reason, AbortScope scope) {
		super("The hook '%s' aborted the %s at a model call: %s".formatted(hook, scope.name().toLowerCase(Locale.ROOT),
				reason), hook, reason, scope);
		this.call = call;
	}

	/**
	 * The call at which the hook aborted.
	 * @return the call
	 */
	public LlmCall getCall() {
		return this.call;
	}

}
