package io.agenthooks.spring.cel;

import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.DescribedHook;
import io.agenthooks.LocatableHook;
import io.agenthooks.policy.PolicyRule.Effect;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.scope.NamesInConditions;

final class CelRunHook implements PreRunHook, LocatableHook, DescribedHook, NamesInConditions {

	private final Rule[] rules;

	private final Clock clock;

	CelRunHook(Rule[] rules, Clock clock) {
		this.rules = rules;
		this.clock = clock;
	}

	@Override
	public CelRunHook writtenAt(Function<List<String>, @Nullable String> places) {
		return new CelRunHook(Rule.writtenAt(this.rules, places), this.clock);
	}

	@Override
	public RunDecision preRun(AgentRun run) {
		Finding finding = Rule.strictest(this.rules, new Scope(run, this.clock), "this run", null);
		if (finding == null) {
			return RunDecision.approve();
		}
		return (finding.effect() == Effect.ABORT) ? new RunDecision.Abort(finding.reason(), finding.rule())
				: new RunDecision.Deny(finding.reason(), finding.rule());
	}

	@Override
	public List<NamesInConditions.Compared> compared() {
		return Rule.compared(List.of(this.rules));
	}

	@Override
	public List<DescribedHook.ListedRule> ruleList() {
		return Stream.of(this.rules).map(Rule::listed).toList();
	}

}
