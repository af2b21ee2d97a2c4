package io.agenthooks.spring.cel;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.policy.PolicyRule.Effect;
import io.agenthooks.policy.ToolRules;
import io.agenthooks.spring.scope.ArgumentsInConditions;
import io.agenthooks.spring.scope.NamesInConditions;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolGlobs;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolIdentity;

final class CelToolRules implements ToolRules, NamesInConditions, ArgumentsInConditions {

	/** Of so many tools it is remembered which rules are for them. */
	private static final int MAX_PLANS = 1_000;

	/** Servers invent names, also long ones. */
	private static final int MAX_NAME = 256;

	private final List<Scoped> rules;

	private final Clock clock;

	private final boolean serversNamed;

	private final Map<ToolIdentity, Plan> plans = new ConcurrentHashMap<>();

	CelToolRules(List<Scoped> rules, Clock clock) {
		this(rules, clock, false);
	}

	private CelToolRules(List<Scoped> rules, Clock clock, boolean serversNamed) {
		this.rules = List.copyOf(rules);
		this.clock = clock;
		this.serversNamed = serversNamed;
	}

	@Override
	public ToolDecision decide(ToolCall call) {
		return decide(call, plan(call.identity()).all);
	}

	private ToolDecision decide(ToolCall call, Rule[] rules) {
		if (rules.length == 0) {
			return ToolDecision.approve();
		}
		Finding finding = Rule.strictest(rules, new Scope(call, this.clock), "this call", call.identity());
		if (finding == null) {
			return ToolDecision.approve();
		}
		return switch (finding.effect()) {
			case ASK -> question(finding);
			case DENY -> new ToolDecision.Deny(finding.reason(), false, null, finding.rule(), null);
			case ABORT -> new ToolDecision.Abort(finding.reason(), AbortScope.RUN, finding.rule(), null);
		};
	}

	private static ToolDecision question(Finding finding) {
		return finding.rules()
			.stream()
			.map((rule) -> new ToolDecision.Ask(finding.reason(), null, rule))
			.reduce(ToolDecision.Ask::and)
			.orElseThrow()
			.on(finding.terms())
			.about(finding.about());
	}

	@Override
	public boolean denyAlways(ToolCall call) {
		return isDenied(call, plan(call.identity()).withoutArguments);
	}

	@Override
	public boolean isHiding() {
		return this.rules.stream().anyMatch(Scoped::hide);
	}

	@Override
	public boolean hides(ToolCall call) {
		return isDenied(call, plan(call.identity()).hiding);
	}

	private boolean isDenied(ToolCall call, Rule[] rules) {
		ToolDecision decision = decide(call, rules);
		return decision instanceof ToolDecision.Deny || decision instanceof ToolDecision.Abort;
	}

	private Plan plan(ToolIdentity tool) {
		Plan known = this.plans.get(tool);
		if (known != null) {
			return known;
		}
		List<Scoped> all = this.rules.stream().filter((rule) -> rule.isFor(tool, this.serversNamed)).toList();
		Plan plan = (all.isEmpty()) ? Plan.EMPTY : new Plan(all);
		if (this.plans.size() < MAX_PLANS && isShort(tool)) {
			this.plans.put(tool, plan);
		}
		return plan;
	}

	private static boolean isShort(ToolIdentity tool) {
		return tool.modelName().length() <= MAX_NAME && tool.name().length() <= MAX_NAME && tool.otherNames().isEmpty()
				&& (tool.server() == null || tool.server().length() <= MAX_NAME);
	}

	@Override
	public Predicate<String> tools() {
		if (this.rules.stream().anyMatch((rule) -> rule.tools() == null)) {
			return ToolHook.ALL_TOOLS;
		}
		return (name) -> this.rules.stream().anyMatch((rule) -> rule.names().test(name));
	}

	@Override
	public List<Found> check(Map<String, Set<String>> tools) {
		List<Found> found = new ArrayList<>();
		for (Scoped rule : this.rules) {
			ArgumentType arguments = ArgumentType.ofTools(tools,
					(name) -> rule.isFor(ToolIdentity.ofApplication(name), false));
			found.addAll(rule.rule().check(arguments));
		}
		return found;
	}

	@Override
	public List<NamesInConditions.Compared> compared() {
		return Rule.compared(this.rules.stream().map(Scoped::rule).toList());
	}

	@Override
	public boolean isFor(int rule, String tool) {
		return this.rules.stream()
			.anyMatch((each) -> each.rule().position() == rule
					&& each.isFor(ToolIdentity.ofApplication(tool), this.serversNamed));
	}

	@Override
	public boolean means(int rule, String tool) {
		return this.rules.stream()
			.map(Scoped::rule)
			.anyMatch((each) -> each.position() == rule && each.when() != null && each.when().means(tool));
	}

	@Override
	public ToolRules forNamedServers() {
		return new CelToolRules(this.rules, this.clock, true);
	}

	@Override
	public ToolRules writtenAt(Function<List<String>, @Nullable String> places) {
		return new CelToolRules(this.rules.stream()
			.map((rule) -> new Scoped(rule.rule().writtenAt(places), rule.names(), rule.tools(), rule.except(),
					rule.hide()))
			.toList(), this.clock, this.serversNamed);
	}

	/** {@code tools} is {@code null} for all, {@code except} for none. */
	record Scoped(Rule rule, Predicate<String> names, @Nullable ToolGlobs tools, @Nullable ToolGlobs except,
			boolean hide) {

		boolean isFor(ToolIdentity tool, boolean serversNamed) {
			return (this.tools == null || this.tools.match(tool))
					&& (this.except == null || !this.except.allow(tool, serversNamed));
		}

	}

	private static final class Plan {

		private static final Plan EMPTY = new Plan(List.of());

		private final Rule[] all;

		private final Rule[] withoutArguments;

		private final Rule[] hiding;

		Plan(List<Scoped> rules) {
			this.all = among(rules, (rule) -> true);
			this.withoutArguments = among(rules, Plan::deniesWithoutArguments);
			this.hiding = among(rules, (rule) -> rule.hide() && deniesWithoutArguments(rule));
		}

		private static boolean deniesWithoutArguments(Scoped rule) {
			return rule.rule().then() != Effect.ASK && !rule.rule().readsArguments();
		}

		private static Rule[] among(List<Scoped> rules, Predicate<Scoped> chosen) {
			return rules.stream().filter(chosen).map(Scoped::rule).toArray(Rule[]::new);
		}

	}

}
