package io.agenthooks.spring.cel;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;
import io.agenthooks.GlobMistake;
import io.agenthooks.HookRule;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.SafeText;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.policy.PolicyRule.Effect;
import io.agenthooks.policy.ToolRules;
import io.agenthooks.spring.policy.CallRule;
import io.agenthooks.toolcall.AskTerms;
import io.agenthooks.toolcall.ToolGlobs;

final class RuleReader {

	private static final String RULES = "rules";

	private final CelReader reader;

	private final boolean mayAsk;

	private final List<Problem> problems = new ArrayList<>();

	private RuleReader(CelReader reader, boolean mayAsk) {
		this.reader = reader;
		this.mayAsk = mayAsk;
	}

	static ToolRules readToolRules(List<PolicyRule> written, Clock clock) {
		RuleReader reader = new RuleReader(new CelReader(CelVariables.ofToolCalls()), true);
		List<CelToolRules.Scoped> rules = new ArrayList<>();
		for (int i = 0; i < written.size(); i++) {
			PolicyRule rule = written.get(i);
			Rule read = reader.read(i, rule.name(), rule.when(), rule.unless(), rule.then(), rule.reason(),
					reader.terms(i, rule));
			List<String> tools = rule.tools();
			List<String> except = rule.except();
			if (rule.hide()) {
				reader.checkHiding(i, read);
			}
			rules.add(new CelToolRules.Scoped(read, Glob.anyOf((tools != null) ? usable(tools) : List.of("*")),
					(tools != null) ? ToolGlobs.of(usable(tools)) : null,
					(except != null) ? ToolGlobs.of(usable(except)) : null, rule.hide()));
		}
		reader.check();
		return new CelToolRules(rules, clock);
	}

	/** Mistakes are reported, and count for nothing. */
	private AskTerms terms(int position, PolicyRule rule) {
		if (rule.then() != null && rule.then() != Effect.ASK) {
			Stream
				.of((rule.approvers() != null) ? "approvers" : "", (rule.decisions() != null) ? "decisions" : "",
						(rule.maxScope() != null) ? "max_scope" : "")
				.filter((option) -> !option.isEmpty())
				.forEach((option) -> problem(position, option, "has no meaning for a rule that asks nobody.",
						"Write 'then: ask', or remove it."));
			return AskTerms.ANY;
		}
		List<Problem> mistakes = AskTerms.problems(rule.approvers(), rule.decisions());
		mistakes.forEach((mistake) -> {
			List<String> path = new ArrayList<>(List.of(RULES, String.valueOf(position)));
			path.addAll(mistake.path());
			this.problems.add(new Problem(path, mistake.message(), mistake.action()));
		});
		return (mistakes.isEmpty()) ? rule.terms() : AskTerms.ANY;
	}

	/** It can never hide. */
	private void checkHiding(int position, Rule rule) {
		if (rule.then() == Effect.ASK) {
			problem(position, "hide", "A tool whose calls a person may approve cannot be hidden.",
					"Write 'then: deny', or remove 'hide'.");
		}
		else if (rule.readsArguments()) {
			problem(position, "hide", "The condition reads 'args', which is not known before the tool is called.",
					"Write a condition without 'args', or remove 'hide'.");
		}
	}

	/** The globs that are not reported elsewhere. */
	private static List<String> usable(List<String> globs) {
		return globs.stream()
			.filter((glob) -> glob != null && !glob.isBlank() && GlobMistake.find(glob, NameKind.TOOL) == null)
			.toList();
	}

	static Rule[] readLlmRules(List<CallRule> written, @Nullable String reason) {
		return new RuleReader(new CelReader(CelVariables.ofLlmCalls()), false).read(written, reason);
	}

	static Rule[] readRunRules(List<CallRule> written, @Nullable String reason) {
		return new RuleReader(new CelReader(CelVariables.ofRuns()), false).read(written, reason);
	}

	private Rule[] read(List<CallRule> written, @Nullable String reason) {
		if (written.isEmpty()) {
			this.problems.add(new Problem(List.of(RULES), "There is no rule, so the policy would approve everything.",
					"Write at least one."));
		}
		List<Rule> rules = new ArrayList<>();
		for (int i = 0; i < written.size(); i++) {
			CallRule rule = written.get(i);
			if (rule.when() == null && rule.unless() == null) {
				problem(i, null, "The rule has no condition, so it matches everything.", "Write 'when' or 'unless'.");
			}
			rules.add(read(i, rule.name(), rule.when(), rule.unless(), rule.then(),
					(rule.reason() != null) ? rule.reason() : reason, AskTerms.ANY));
		}
		check();
		return rules.toArray(Rule[]::new);
	}

	private Rule read(int position, @Nullable String name, @Nullable String when, @Nullable String unless,
			@Nullable Effect then, @Nullable String reason, AskTerms terms) {
		if (then == null) {
			problem(position, null, "The rule does not say what happens to a matching call.",
					"Write 'then: %sdeny' or 'then: abort'.".formatted((this.mayAsk) ? "ask', 'then: " : ""));
		}
		else if (then == Effect.ASK && !this.mayAsk) {
			problem(position, "then", "A person can be asked about calls of tools only.", "Write 'deny' or 'abort'.");
		}
		if (name != null && SafeText.name(name).isBlank()) {
			problem(position, "name", "The name has no visible character.", "Write a name, or leave it out.");
		}
		Condition read = condition(position, "when", when, false);
		Condition readUnless = condition(position, "unless", unless, true);
		if (when != null && unless != null && when.strip().equals(unless.strip())) {
			problem(position, "unless", "It is the same as 'when': what that takes in, this leaves out.",
					"Correct one of them, or remove it.");
		}
		else if (read != null && readUnless != null
				&& Contradictions.exclude(read.source().tree().getExpr(), readUnless.source().tree().getExpr())) {
			problem(position, "unless", "The rule can never match: whatever 'when' takes in, this leaves out.",
					"Correct one of them, or remove it.");
		}
		return new Rule(position, HookRule.of((name != null) ? name : "rules[%d]".formatted(position)), read,
				readUnless, Objects.requireNonNullElse(then, Effect.DENY), reason, terms);
	}

	private @Nullable Condition condition(int position, String option, @Nullable String text, boolean never) {
		if (text == null) {
			return null;
		}
		try {
			Condition condition = this.reader.read(text);
			if (condition.isAlways(never)) {
				problem(position, option, "The rule can never match: this is always %s.".formatted(never),
						"Correct the condition, or remove the rule.");
			}
			if (never && condition.isAlways(false)) {
				problem(position, option, "It exempts nothing: this is always false.", "Correct it, or remove it.");
			}
			return condition;
		}
		catch (UnreadableConditionException ex) {
			this.problems.add(new Problem(List.of(RULES, String.valueOf(position), option), ex.getMessage() + ".",
					ex.action(), ex.position()));
			return null;
		}
	}

	private void problem(int position, @Nullable String option, String message, String action) {
		List<String> path = new ArrayList<>(List.of(RULES, String.valueOf(position)));
		if (option != null) {
			path.add(option);
		}
		this.problems.add(new Problem(path, message, action));
	}

	private void check() {
		if (!this.problems.isEmpty()) {
			throw new InvalidHookConfigException(this.problems);
		}
	}

}
