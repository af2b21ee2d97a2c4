package io.agenthooks.spring.observation;

import java.util.Locale;

import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.spring.external.Unanswered;
import io.agenthooks.spring.observation.HooksObservationDocumentation.HighCardinalityHookKeys;
import io.agenthooks.spring.observation.HooksObservationDocumentation.LowCardinalityHookKeys;

/**
 * The usual names and attributes of observed hooks.
 *
 * @since 0.1.0
 */
public class DefaultHookObservationConvention implements HookObservationConvention {

	@Override
	public @Nullable String getName() {
		return HooksObservationDocumentation.HOOK.getName();
	}

	@Override
	public String getContextualName(HookObservationContext context) {
		return "hook " + context.getHook();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(HookObservationContext context) {
		return KeyValues.of(LowCardinalityHookKeys.HOOK.withValue(context.getHook()),
				LowCardinalityHookKeys.TYPE.withValue(context.getType()),
				LowCardinalityHookKeys.PART.withValue(context.getPart().name().toLowerCase(Locale.ROOT)),
				LowCardinalityHookKeys.VERDICT
					.withValue(Unanswered.verdict(context.getPart(), context.getDecision(), context.getError())));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(HookObservationContext context) {
		HookDecision decision = context.getDecision();
		String reason = (decision != null && decision.verdict() != Verdict.APPROVE) ? decision.reason() : null;
		KeyValues values = (reason != null)
				? KeyValues.of(HighCardinalityHookKeys.REASON.withValue(CallOutcomes.reason(reason)))
				: KeyValues.empty();
		HookRule rule = (decision != null) ? decision.rule() : null;
		if (rule == null) {
			return values;
		}
		values = values.and(HighCardinalityHookKeys.RULE.withValue(SafeText.name(rule.name())));
		if (rule.origin() != null) {
			values = values.and(HighCardinalityHookKeys.RULE_ORIGIN.withValue(SafeText.name(rule.origin())));
		}
		return (rule.detail() != null)
				? values.and(HighCardinalityHookKeys.RULE_DETAIL.withValue(CallOutcomes.reason(rule.detail())))
				: values;
	}

}
