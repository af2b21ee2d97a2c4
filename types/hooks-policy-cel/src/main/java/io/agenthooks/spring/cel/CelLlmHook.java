package io.agenthooks.spring.cel;

import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.DescribedHook;
import io.agenthooks.LocatableHook;
import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.policy.PolicyLlmHook;
import io.agenthooks.policy.PolicyRule.Effect;
import io.agenthooks.spring.scope.NamesInConditions;

final class CelLlmHook implements PreLlmHook, LocatableHook, DescribedHook, NamesInConditions {

	private final @Nullable PolicyLlmHook lists;

	private final Rule[] rules;

	private final Clock clock;

	CelLlmHook(@Nullable PolicyLlmHook lists, Rule[] rules, Clock clock) {
		this.lists = lists;
		this.rules = rules;
		this.clock = clock;
	}

	@Override
	public CelLlmHook writtenAt(Function<List<String>, @Nullable String> places) {
		return new CelLlmHook((this.lists != null) ? this.lists.writtenAt(places) : null,
				Rule.writtenAt(this.rules, places), this.clock);
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		LlmDecision byLists = (this.lists != null) ? this.lists.preCall(call) : LlmDecision.approve();
		Finding finding = Rule.strictest(this.rules, new Scope(call, this.clock), "this prompt", null);
		if (finding == null || (finding.effect() == Effect.DENY && byLists.verdict() == Verdict.DENY)) {
			return byLists;
		}
		return (finding.effect() == Effect.ABORT)
				? new LlmDecision.Abort(finding.reason(), AbortScope.RUN, finding.rule())
				: new LlmDecision.Deny(finding.reason(), null, finding.rule());
	}

	@Override
	public List<NamesInConditions.Compared> compared() {
		return Rule.compared(List.of(this.rules));
	}

	@Override
	public List<DescribedHook.ListedRule> ruleList() {
		Stream<DescribedHook.ListedRule> ofLists = (this.lists != null) ? this.lists.ruleList().stream()
				: Stream.empty();
		return Stream.concat(ofLists, Stream.of(this.rules).map(Rule::listed)).toList();
	}

	@Override
	public boolean isRepeatable() {
		return true;
	}

}
