package io.agenthooks.spring.observation;

import java.util.List;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.HookOutcome;
import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.spring.observation.CallObservationContext.Kind;
import io.agenthooks.spring.observation.HooksObservationDocumentation.HighCardinalityCallKeys;
import io.agenthooks.spring.observation.HooksObservationDocumentation.HighCardinalityToolKeys;
import io.agenthooks.spring.observation.HooksObservationDocumentation.LowCardinalityCallKeys;
import io.agenthooks.spring.observation.HooksObservationDocumentation.LowCardinalityToolKeys;
import io.agenthooks.toolcall.ToolCall;

/**
 * The usual names and attributes of observed calls.
 *
 * @since 0.1.0
 */
public class DefaultCallObservationConvention implements CallObservationConvention {

	private static final String NONE = "none";

	private final boolean genai;

	/**
	 * Create a convention without the attributes of OpenTelemetry's conventions for
	 * generative AI.
	 */
	public DefaultCallObservationConvention() {
		this(false);
	}

	/**
	 * Create a convention.
	 * @param genai whether there are attributes of OpenTelemetry's conventions for
	 * generative AI, version 1.41.0, which may still change ("Development")
	 */
	public DefaultCallObservationConvention(boolean genai) {
		this.genai = genai;
	}

	/** The same for all kinds of calls, so it is asked of the {@link Kind}. */
	@Override
	public @Nullable String getName() {
		return null;
	}

	@Override
	public String getContextualName(CallObservationContext context) {
		String span = context.getKind().span();
		return (context.getKind() == Kind.TOOL_CALL) ? span + " " + context.getTool() : span;
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(CallObservationContext context) {
		HookOutcome outcome = context.getOutcome();
		KeyValues values = (outcome != null)
				? KeyValues.of(LowCardinalityCallKeys.OUTCOME.withValue(CallOutcomes.status(outcome)),
						LowCardinalityCallKeys.VERDICT.withValue(outcome.decision().verdict().value()),
						LowCardinalityCallKeys.DECIDED_BY
							.withValue((outcome.decidedBy() != null) ? outcome.decidedBy() : NONE))
				: KeyValues.of(LowCardinalityCallKeys.OUTCOME.withValue(NONE),
						LowCardinalityCallKeys.VERDICT.withValue(NONE),
						LowCardinalityCallKeys.DECIDED_BY.withValue(NONE));
		return (context.getKind() == Kind.TOOL_CALL)
				? values.and(LowCardinalityToolKeys.TOOL.withValue(context.getTool())) : values;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(CallObservationContext context) {
		CallContext caller = context.getCall().context();
		HookOutcome outcome = context.getOutcome();
		KeyValues values = KeyValues.of(value(HighCardinalityCallKeys.CALL_ID, context.getCall().id()));
		values = with(values, HighCardinalityCallKeys.SESSION_ID, caller.sessionId());
		values = with(values, HighCardinalityCallKeys.RUN_ID, caller.runId());
		if (context.getCall() instanceof ToolCall call) {
			values = with(values, HighCardinalityToolKeys.TOOL_NAME, call.tool());
			if (this.genai) {
				Object provided = caller.attributes().get(CallAttributes.PROVIDER_CALL_ID);
				values = with(values, HighCardinalityToolKeys.GEN_AI_TOOL_NAME, call.tool());
				values = with(values, HighCardinalityToolKeys.GEN_AI_TOOL_TYPE, "function");
				values = with(values, HighCardinalityToolKeys.GEN_AI_TOOL_CALL_ID,
						(provided != null) ? provided.toString() : call.id());
			}
		}
		if (this.genai) {
			values = with(values, HighCardinalityCallKeys.GEN_AI_CONVERSATION_ID, caller.sessionId());
			values = with(values, HighCardinalityCallKeys.GEN_AI_AGENT_NAME, caller.agent());
		}
		return (outcome != null) ? withEnd(values, outcome) : values;
	}

	private KeyValues withEnd(KeyValues before, HookOutcome outcome) {
		KeyValues values = before;
		String reason = (outcome.decision().verdict() != Verdict.APPROVE) ? outcome.decision().reason() : null;
		if (reason != null) {
			values = values.and(HighCardinalityCallKeys.REASON.withValue(CallOutcomes.reason(reason)));
		}
		HookRule rule = outcome.rule();
		if (rule != null) {
			values = with(values, HighCardinalityCallKeys.RULE, rule.name());
			values = with(values, HighCardinalityCallKeys.RULE_ORIGIN, rule.origin());
			values = (rule.detail() != null)
					? values.and(HighCardinalityCallKeys.RULE_DETAIL.withValue(CallOutcomes.reason(rule.detail())))
					: values;
		}
		values = with(values, HighCardinalityCallKeys.FAILED_OPEN, outcome.failedOpen());
		values = with(values, HighCardinalityCallKeys.WOULD_DENY, outcome.wouldDeny());
		values = with(values, HighCardinalityCallKeys.REPLACED_BY, outcome.replacedBy());
		return (this.genai && CallOutcomes.isError(outcome))
				? with(values, HighCardinalityCallKeys.ERROR_TYPE, CallOutcomes.errorType(outcome)) : values;
	}

	private static KeyValues with(KeyValues values, KeyName key, List<String> hooks) {
		return (hooks.isEmpty()) ? values : values.and(key.withValue(String.join(",", hooks)));
	}

	private static KeyValues with(KeyValues values, KeyName key, @Nullable String text) {
		return (text != null) ? values.and(value(key, text)) : values;
	}

	private static KeyValue value(KeyName key, String text) {
		return key.withValue(SafeText.name(text));
	}

}
