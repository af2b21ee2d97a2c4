package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.DescribedHook;
import io.agenthooks.HookRule;
import io.agenthooks.policy.PolicyRule.Effect;
import io.agenthooks.spring.scope.ArgumentsInConditions;
import io.agenthooks.spring.scope.NamesInConditions;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.AskTerms;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * A rule, ready to be asked.
 *
 * @param position its position among the rules
 * @param written what it is called in reasons, and where it is written
 * @param when the condition under which it matches, or {@code null}
 * @param unless the condition under which it does not, or {@code null}
 * @param then what becomes of a call that matches
 * @param reason why, or {@code null} if nobody said
 * @param terms the terms of what it asks
 */
record Rule(int position, HookRule written, @Nullable Condition when, @Nullable Condition unless, Effect then,
		@Nullable String reason, AskTerms terms) {

	private static final Effect[] STRICTEST_FIRST = { Effect.ABORT, Effect.DENY, Effect.ASK };

	String name() {
		return this.written.name();
	}

	Rule writtenAt(Function<List<String>, @Nullable String> places) {
		String place = places.apply(List.of("rules", String.valueOf(this.position)));
		return new Rule(this.position, new HookRule(name(), place), this.when, this.unless, this.then, this.reason,
				this.terms);
	}

	static Rule[] writtenAt(Rule[] rules, Function<List<String>, @Nullable String> places) {
		return Arrays.stream(rules).map((rule) -> rule.writtenAt(places)).toArray(Rule[]::new);
	}

	/** Counts what cannot be said as a match. */
	Object matches(Scope scope) {
		Object holds = (this.when != null) ? this.when.holds(scope) : true;
		if (Boolean.FALSE.equals(holds)) {
			return false;
		}
		Object exempts = (this.unless != null) ? this.unless.holds(scope) : false;
		if (Boolean.TRUE.equals(exempts)) {
			return false;
		}
		return (holds instanceof Failure) ? holds : (exempts instanceof Failure) ? exempts : true;
	}

	private String explain(Object match, String what, @Nullable ToolIdentity tool) {
		String text = (this.reason != null) ? this.reason
				: "The rule '%s' of the policy %s %s".formatted(name(),
						(this.then == Effect.ASK) ? "wants a person to approve" : "denies",
						(tool != null) ? "the tool " + tool.describe() : what);
		return (match instanceof Failure failure)
				? "%s (the rule '%s' counts as matched: %s)".formatted(text, name(), failure.why()) : text;
	}

	DescribedHook.ListedRule listed() {
		return new DescribedHook.ListedRule(this.written.name(), null, List.of(), null,
				this.then.name().toLowerCase(Locale.ROOT), this.reason, this.written.origin());
	}

	boolean readsArguments() {
		return conditions().stream().anyMatch(Condition::readsArguments);
	}

	private Stream<String> about() {
		return conditions().stream().flatMap((condition) -> condition.argumentNames().stream());
	}

	List<ArgumentsInConditions.Found> check(ArgumentType arguments) {
		List<ArgumentsInConditions.Found> found = new ArrayList<>();
		String rule = String.valueOf(this.position);
		if (this.when != null) {
			found.addAll(this.when.check(List.of("rules", rule, "when"), arguments));
		}
		if (this.unless != null) {
			found.addAll(this.unless.check(List.of("rules", rule, "unless"), arguments));
		}
		return found;
	}

	static List<NamesInConditions.Compared> compared(List<Rule> rules) {
		List<NamesInConditions.Compared> compared = new ArrayList<>();
		for (Rule rule : rules) {
			rule.addTo(compared, "when", rule.when);
			rule.addTo(compared, "unless", rule.unless);
		}
		return compared;
	}

	private void addTo(List<NamesInConditions.Compared> compared, String option, @Nullable Condition condition) {
		if (condition != null) {
			condition.names()
				.forEach((name) -> compared.add(new NamesInConditions.Compared(this.position, option, name.kind(),
						name.name(), name.anyCase())));
		}
	}

	private List<Condition> conditions() {
		List<Condition> conditions = new ArrayList<>();
		if (this.when != null) {
			conditions.add(this.when);
		}
		if (this.unless != null) {
			conditions.add(this.unless);
		}
		return conditions;
	}

	/**
	 * The first matched rule of the strictest effect, or all of them if it is a question.
	 * The strictest are asked first, for all share one budget: where it ends, no other
	 * order may give a weaker answer.
	 */
	static @Nullable Finding strictest(Rule[] rules, Scope scope, String what, @Nullable ToolIdentity tool) {
		for (Effect effect : STRICTEST_FIRST) {
			Finding finding = find(effect, rules, scope, what, tool);
			if (finding != null) {
				return finding;
			}
		}
		return null;
	}

	private static @Nullable Finding find(Effect effect, Rule[] rules, Scope scope, String what,
			@Nullable ToolIdentity tool) {
		Finding all = null;
		for (Rule rule : rules) {
			Object match = (rule.then == effect) ? rule.matches(scope) : false;
			if (!Boolean.FALSE.equals(match)) {
				String why = rule.explain(match, what, tool);
				all = (all != null)
						? new Finding(effect, and(all.reason(), why),
								Stream.concat(all.rules().stream(), Stream.of(rule.written)).toList(),
								all.terms().and(rule.terms).atMost(ApprovalScope.CALL),
								Stream.concat(all.about().stream(), rule.about()).toList())
						: new Finding(effect, why, List.of(rule.written), rule.terms, rule.about().toList());
				if (effect != Effect.ASK) {
					return all;
				}
			}
		}
		return all;
	}

	private static String and(String one, String more) {
		return (one.contains(more)) ? one : one + "; " + more;
	}

}
