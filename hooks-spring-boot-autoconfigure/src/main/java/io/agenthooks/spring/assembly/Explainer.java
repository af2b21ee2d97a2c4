package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.HookRule;
import io.agenthooks.Verdict;
import io.agenthooks.chain.Explained;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.Explanation;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;

final class Explainer {

	private static final String BUILT_IN = "built-in";

	private static final String NOT_ASKED = "Not asked, because the hook may have side effects; a live explanation asks it";

	private static final String NOT_KNOWN = "No tool of this name is known; if the framework that calls it knows none "
			+ "either, the call is denied";

	private static final String NOT_CERTAIN = "What the tool accepts is not known, so it may refuse the arguments";

	private final ToolHookChain chain;

	private final KnownTargets targets;

	Explainer(ToolHookChain chain, KnownTargets targets) {
		this.chain = chain;
		this.targets = targets;
	}

	Explanation explain(ToolCall call, boolean live, List<ActiveHooks.Listed> listed) {
		Explained<ToolCall, ToolDecision> explained = this.chain.explain(call, this.targets.of(call), live);
		Map<String, ActiveHooks.Listed> known = new HashMap<>();
		listed.stream()
			.filter((hook) -> hook.phase() == ActiveHooks.Phase.PRE_CALL)
			.forEach((hook) -> known.put(hook.name(), hook));
		List<Explanation.Answer> answers = new ArrayList<>();
		if (this.targets.isUnknown(call)) {
			answers.add(ofOurs(BuiltInDecider.UNKNOWN_TOOL, NOT_KNOWN));
		}
		explained.hooks().forEach((answer) -> answers.add(answer(answer, known.get(answer.name()))));
		ToolDecision decision = explained.decision();
		if (isMade(decision) && !this.targets.isUnknown(call) && !this.targets.isCertain(call)) {
			answers.add(ofOurs(BuiltInDecider.ARGUMENTS, NOT_CERTAIN));
		}
		return new Explanation(decision.verdict(), explained.decidedBy(), reason(decision), explained.call(), answers,
				(decision instanceof ToolDecision.Ask question) ? question.terms() : null);
	}

	private static boolean isMade(ToolDecision decision) {
		return switch (decision.verdict()) {
			case APPROVE, MODIFY, ASK -> true;
			case DENY, ABORT, RESPOND -> false;
		};
	}

	private static Explanation.Answer ofOurs(BuiltInDecider decider, String reason) {
		return new Explanation.Answer(decider.value(), BUILT_IN, BUILT_IN, null, reason, null, null, null, false);
	}

	private static Explanation.Answer answer(Explained.Answer<ToolDecision> answer,
			ActiveHooks.@Nullable Listed listed) {
		String type = (answer.isBuiltIn()) ? BUILT_IN : (listed != null) ? listed.type() : "hook";
		String origin = (answer.isBuiltIn()) ? BUILT_IN
				: (listed != null) ? listed.origin() : "the ToolHookChain bean of the application";
		ToolDecision decision = answer.decision();
		if (decision == null) {
			String reason = (answer.whyNotAsked() != null) ? answer.whyNotAsked() : NOT_ASKED;
			return new Explanation.Answer(answer.name(), type, origin, null, reason, null, null, null,
					answer.observed());
		}
		HookRule rule = decision.rule();
		return new Explanation.Answer(answer.name(), type, origin, decision.verdict(), reason(decision),
				(rule != null) ? rule.name() : null, (rule != null) ? rule.origin() : null,
				(rule != null) ? rule.detail() : null, answer.observed());
	}

	/** Also the question to a person, a failure that lets pass, or a mere remark. */
	private static @Nullable String reason(ToolDecision decision) {
		if (decision instanceof ToolDecision.Ask ask) {
			return ask.question();
		}
		String why = (decision.reason() != null) ? decision.reason() : decision.failure();
		return (why == null && decision.verdict() == Verdict.APPROVE) ? decision.additionalContext() : why;
	}

}
