package io.agenthooks.spring.observation;

import java.util.Objects;
import java.util.function.Function;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import io.agenthooks.HookOutcome;
import io.agenthooks.chain.HookedCall;

/**
 * The context of an observed call: of a tool, of a model, or a run. Arguments, messages
 * and results are in it for conventions that know what they do; the usual one leaves them
 * out.
 *
 * @since 0.1.0
 */
public final class CallObservationContext extends Observation.Context {

	private final Kind kind;

	private final HookedCall call;

	private final Function<@Nullable HookOutcome, String> tool;

	private @Nullable HookOutcome outcome;

	CallObservationContext(Kind kind, HookedCall call, Function<@Nullable HookOutcome, String> tool) {
		this.kind = kind;
		this.call = call;
		this.tool = tool;
	}

	void end(HookOutcome outcome) {
		this.outcome = outcome;
	}

	/**
	 * Return the kind of call.
	 * @return the kind
	 */
	public Kind getKind() {
		return this.kind;
	}

	/**
	 * The call as it was made.
	 * @return a {@link io.agenthooks.toolcall.ToolCall},
	 * {@link io.agenthooks.llmcall.LlmCall} or {@link io.agenthooks.run.AgentRun}
	 */
	public HookedCall getCall() {
		return this.call;
	}

	/**
	 * Return the outcome of the call.
	 * @return the outcome, or {@code null} before the end
	 */
	public @Nullable HookOutcome getOutcome() {
		return this.outcome;
	}

	/**
	 * The name of the tool as a value of low cardinality: models invent names of tools,
	 * so those that nobody knows, and all names before the end of the call, are
	 * {@code unknown}. The same call has the same value in metrics.
	 * @return the name, {@code unknown}, or {@code none} if it is not a call of a tool
	 */
	public String getTool() {
		return this.tool.apply(this.outcome);
	}

	/**
	 * A kind of calls.
	 *
	 * @since 0.1.0
	 */
	public enum Kind {

		/** A call of a tool. */
		TOOL_CALL(HooksObservationDocumentation.TOOL_CALL, "tool_call"),

		/** A call of a model. */
		LLM_CALL(HooksObservationDocumentation.LLM_CALL, "llm_call"),

		/** A run of an agent. */
		RUN(HooksObservationDocumentation.RUN, "run");

		private final HooksObservationDocumentation documentation;

		private final String span;

		Kind(HooksObservationDocumentation documentation, String span) {
			this.documentation = documentation;
			this.span = span;
		}

		String span() {
			return this.span;
		}

		/**
		 * The name of the observations.
		 * @return the name, such as {@code hooks.tool.call}
		 */
		public String observationName() {
			return Objects.requireNonNull(this.documentation.getName());
		}

	}

}
