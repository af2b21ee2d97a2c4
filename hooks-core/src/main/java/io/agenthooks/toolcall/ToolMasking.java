package io.agenthooks.toolcall;

import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.chain.Masking;

final class ToolMasking implements Masking<ToolCall, ToolDecision> {

	private static final Logger logger = LoggerFactory.getLogger(ToolHookChain.class);

	@Override
	@SuppressWarnings("ReferenceEquality") // nothing is masked then
	public @Nullable ToolCall masked(ToolCall call, ArgumentsMask mask) {
		Arguments arguments;
		try {
			arguments = ((Arguments) call.arguments()).maskedBy(mask);
		}
		catch (RuntimeException | StackOverflowError ex) {
			logger.warn("The mask {} failed with {}", mask.getClass().getName(), ex.getClass().getName());
			return null;
		}
		if (arguments == null) {
			return null;
		}
		return (arguments != call.arguments()) ? call.withArguments(arguments) : call;
	}

	@Override
	public ToolCall withoutArguments(ToolCall call) {
		return call.withArguments(Map.of());
	}

	@Override
	public ToolDecision unmasked(ToolCall call, ToolCall view, ToolDecision decision) {
		try {
			return changing(decision, MaskedArguments.restore(call.arguments(), view.arguments(),
					((ToolDecision.Modify) decision).arguments()));
		}
		catch (MaskedArguments.ChangedMaskException ex) {
			return ToolDecision.deny("The hook got the arguments masked, and its change cannot be made: "
					+ SafeText.reason(String.valueOf(ex.getMessage())));
		}
	}

	@Override
	public ToolDecision masked(ToolDecision decision, ToolCall view) {
		return (decision.verdict() == Verdict.MODIFY) ? changing(decision, view.arguments()) : decision;
	}

	private static ToolDecision changing(ToolDecision decision, Map<String, @Nullable Object> arguments) {
		return new ToolDecision.Modify(arguments, decision.additionalContext(), decision.answered());
	}

	@Override
	@SuppressWarnings("unchecked") // all outcomes of tool calls are of this type
	public <O> O masked(O outcome, UnaryOperator<ToolCall> view) {
		ToolOutcome told = (ToolOutcome) outcome;
		ToolCall effective = view.apply(told.effective());
		ToolCall requested = (told.requested().equals(told.effective())) ? effective : view.apply(told.requested());
		return (O) new ToolOutcome(requested, effective, masked(told.decision(), effective), told.decidedBy(),
				told.status(), told.originalResult(), told.result(), told.failure(), told.duration(), told.replacedBy(),
				told.failedOpen(), told.wouldDeny(), told.approval(), told.withheld());
	}

}
