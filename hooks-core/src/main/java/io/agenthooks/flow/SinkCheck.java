package io.agenthooks.flow;

import java.util.ArrayList;
import java.util.List;

import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.flow.FlowRules.Sink;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/** Decides about a call with effects: whether its values were named by who may. */
record SinkCheck(FlowRules rules, ToolCall call, List<Sink> sinks, Evidence evidence) {

	ToolDecision decide() {
		return (isArmed()) ? find().decision() : ToolDecision.approve();
	}

	ToolDecision explain() {
		Checked finding = find();
		ToolDecision decision = finding.decision();
		HookRule rule = decision.rule();
		if (rule == null) {
			return (finding.origins().isEmpty()) ? decision
					: decision.withAdditionalContext(String.join("; ", finding.origins()));
		}
		return (finding.named().isEmpty()) ? decision
				: decision.withRule(HookRule.of(rule.name() + "; " + String.join("; ", finding.named())));
	}

	private boolean isArmed() {
		return this.rules.always() || this.evidence.untrusted();
	}

	private Checked find() {
		List<String> origins = new ArrayList<>();
		List<String> named = new ArrayList<>();
		List<String> problems = new ArrayList<>();
		List<String> about = new ArrayList<>();
		for (Sink sink : this.sinks) {
			if (sink.namedBy().isEmpty()) {
				problems.add(this.evidence.after());
			}
			ValueCheck check = new ValueCheck(this.evidence);
			sink.namedBy().forEach((argument, sources) -> {
				Object value = ValueCheck.find(this.call.arguments(), argument);
				String problem = check.problem(value, sources);
				String origin = "'" + SafeText.name(argument) + "': " + check.origin(value, problem);
				origins.add(origin);
				if (problem != null) {
					problems.add("'" + SafeText.name(argument) + "' is " + problem);
					about.add(argument);
				}
				else {
					named.add(origin);
				}
			});
		}
		return new Checked((problems.isEmpty() || !isArmed()) ? ToolDecision.approve() : objection(problems, about),
				origins, named);
	}

	private ToolDecision objection(List<String> problems, List<String> about) {
		String what = String.join("; ", problems.stream().distinct().toList());
		ToolDecision objection = (this.rules.deny())
				? ToolDecision
					.deny("The agent has read untrusted data, and nobody who may has named the values of this call")
				: new ToolDecision.Ask("May '" + SafeText.name(this.call.tool()) + "' be called? " + what).about(about);
		return objection.withRule(HookRule.of(what));
	}

	private record Checked(ToolDecision decision, List<String> origins, List<String> named) {
	}

}
