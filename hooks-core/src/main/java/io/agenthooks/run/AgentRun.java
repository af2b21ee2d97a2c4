package io.agenthooks.run;

import java.util.Objects;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.UniqueId;
import io.agenthooks.chain.HookedCall;

/**
 * A run of an agent: from a prompt to its answer, with all model calls and tool calls
 * between.
 *
 * @param id identifies this run among all others
 * @param prompt what the person wrote
 * @param context who works for whom, and where
 * @since 0.1.0
 */
public record AgentRun(String id, String prompt, CallContext context) implements HookedCall {

	public AgentRun {
		Objects.requireNonNull(id, "'id' must not be null");
		Objects.requireNonNull(prompt, "'prompt' must not be null");
		Objects.requireNonNull(context, "'context' must not be null");
	}

	/**
	 * A run with a new random id, inside of the run that the context has already, if it
	 * has one.
	 * @param prompt what the person wrote
	 * @param context who works for whom, and where
	 * @return the run
	 */
	public static AgentRun of(String prompt, CallContext context) {
		String id = UniqueId.next();
		return new AgentRun(id, prompt, context.withRunId(id).withRootRunId(context.rootRunId()));
	}

	/** The run without its prompt, which may be secret. */
	@Override
	public String toString() {
		return "AgentRun[id=%s, prompt=%d characters, context=%s]".formatted(SafeText.name(this.id),
				this.prompt.length(), this.context);
	}

}
