package io.agenthooks.spring.cel;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.policy.PolicyRule.Effect;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.policy.ToolRules;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds for all rules and all calls, tried with many that are made up.
 */
class RuleLawsTests {

	private static final List<String> CONDITIONS = List.of("args.a > 1", "args.a == args.b", "has(args.a)",
			"args.b.startsWith('x')", "args.l.exists(e, e == 1)", "args.l.all(e, e > args.a)", "'a' in args",
			"size(args) > 1", "args.a + 1 > 2", "args.b in ['x', 'y']", "!args.c", "args.c || args.a > 1",
			"tool.name == 'one'", "has(user.name)", "args.a > 1 && args.b == 'x'", "args.m.x == 1");

	private static final List<String> TOOLS = List.of("one", "two", "other");

	private static final List<Object> VALUES = List.of(0, 1, 2, 1.5, "x", "1", true, false, List.of(1, 2), List.of("x"),
			Map.of("x", 1), Double.MAX_VALUE, Long.MAX_VALUE);

	private static List<PolicyRule> rules(Random random, int count) {
		List<PolicyRule> rules = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			String when = any(random, CONDITIONS);
			String unless = (random.nextInt(3) == 0) ? any(random, CONDITIONS) : null;
			rules.add(new PolicyRule("r" + random.nextInt(1_000_000),
					(random.nextInt(3) == 0) ? null : List.of(any(random, List.of("o*", "t*", "one", "*"))),
					(random.nextInt(4) == 0) ? List.of(any(random, TOOLS)) : null, when,
					// One that leaves out what the other takes in would be a mistake.
					(unless == null || when.equals(unless) || excludes(when, unless)) ? null : unless,
					any(random, List.of(Effect.values())), null, false, null, null, null));
		}
		return rules;
	}

	private static boolean excludes(String when, String unless) {
		CelReader reader = new CelReader(CelVariables.ofToolCalls());
		return Contradictions.exclude(reader.read(when).source().tree().getExpr(),
				reader.read(unless).source().tree().getExpr());
	}

	private static <T> T any(Random random, List<T> list) {
		return list.get(random.nextInt(list.size()));
	}

	private static Map<String, @Nullable Object> arguments(Random random) {
		Map<String, @Nullable Object> arguments = new HashMap<>();
		for (String name : List.of("a", "b", "c", "l", "m")) {
			if (random.nextInt(4) > 0) {
				arguments.put(name, (random.nextInt(10) == 0) ? null : any(random, VALUES));
			}
		}
		return arguments;
	}

	private static PolicyToolHook policy(List<PolicyRule> rules) {
		return new PolicyToolHook(
				new PolicyConfig(null, null, null, null, null, null, null, rules, null, null, false, false, null, null,
						null, null, null, null, null, null, null),
				null, (written) -> RuleReader.readToolRules(written, Clock.systemUTC()));
	}

	private static int strictness(ToolDecision decision) {
		return List.of(Verdict.APPROVE, Verdict.ASK, Verdict.DENY, Verdict.ABORT).indexOf(decision.verdict());
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void anotherRuleNeverOpensAnything(long seed) {
		Random random = new Random(seed);
		List<PolicyRule> rules = rules(random, 1 + random.nextInt(6));
		List<PolicyRule> more = new ArrayList<>(rules);
		rules(random, 1).forEach((rule) -> more.add(random.nextInt(more.size() + 1), rule));
		PolicyToolHook before = policy(rules);
		PolicyToolHook after = policy(more);
		for (int i = 0; i < 500; i++) {
			ToolCall call = ToolCall.of(any(random, TOOLS), arguments(random));
			assertThat(strictness(after.preCall(call))).as("%s", call)
				.isGreaterThanOrEqualTo(strictness(before.preCall(call)));
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 11, 12, 13, 14, 15, 16 })
	void orderDoesNotMatter(long seed) {
		Random random = new Random(seed);
		List<PolicyRule> rules = rules(random, 6);
		List<PolicyRule> shuffled = new ArrayList<>(rules);
		Collections.shuffle(shuffled, random);
		PolicyToolHook one = policy(rules);
		PolicyToolHook other = policy(shuffled);
		for (int i = 0; i < 500; i++) {
			ToolCall call = ToolCall.of(any(random, TOOLS), arguments(random));
			assertThat(one.preCall(call).verdict()).isEqualTo(other.preCall(call).verdict());
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 21, 22, 23, 24, 25, 26 })
	void finalArgumentsHoldAllRulesWhoeverChangedThem(long seed) {
		Random random = new Random(seed);
		PolicyToolHook policy = policy(rules(random, 3));
		List<ToolCall> ran = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			Map<String, @Nullable Object> byHook = arguments(random);
			Map<String, @Nullable Object> byPerson = arguments(random);
			PreToolHook changing = (call) -> ToolDecision.modify(byHook);
			PreToolHook asking = (call) -> ToolDecision.ask("May it?");
			ToolApprover person = (call, question) -> ToolDecision.modify(byPerson);
			List<PreToolHook> hooks = new ArrayList<>(List.of(policy, changing, asking));
			Collections.shuffle(hooks, random);
			ToolHookChain chain = new ToolHookChain(hooks, List.of(), person);
			try {
				chain.execute(ToolCall.of(any(random, TOOLS), arguments(random)), (call) -> {
					ran.add(call);
					return ToolResult.success("ran");
				});
			}
			catch (RuntimeException ex) {
				assertThat(ex).isInstanceOf(AgentAbortedException.class);
			}
		}
		// A person who changed the call has approved it as it is.
		assertThat(ran).allSatisfy((call) -> assertThat(strictness(policy.preCall(call))).isLessThanOrEqualTo(1));
	}

	@ParameterizedTest
	@ValueSource(longs = { 31, 32, 33, 34 })
	void toolThatIsAlwaysDeniedIsDeniedWhateverTheArguments(long seed) {
		Random random = new Random(seed);
		PolicyToolHook policy = policy(rules(random, 6));
		ToolRules rules = policy.rules();
		assertThat(rules).isNotNull();
		for (String tool : TOOLS) {
			boolean always = rules != null && rules.denyAlways(ToolCall.of(tool, Map.of()));
			for (int i = 0; always && i < 300; i++) {
				assertThat(strictness(policy.preCall(ToolCall.of(tool, arguments(random))))).isGreaterThanOrEqualTo(2);
			}
		}
	}

	@Test
	void ruleThatReadsArgumentsDeniesNothingAlways() {
		List<PolicyRule> rules = List.of(rule("args.x > 1", Effect.DENY), rule("tool.name == 'a'", Effect.ASK),
				rule("call.workspace == 'prod'", Effect.DENY));
		ToolRules read = RuleReader.readToolRules(rules, Clock.systemUTC());
		assertThat(read.denyAlways(ToolCall.of("a", Map.of()))).isFalse();
		assertThat(read.denyAlways(ToolCall.of("a", Map.of(), CallContext.empty().withWorkspace("prod")))).isTrue();
	}

	@Test
	void orderDoesNotMatterWhereTheWorkIsTooMuchForAllRules() {
		String much = "args.l.exists(a, args.l.exists(c, a + c < 0))";
		List<PolicyRule> rules = List.of(rule(much, Effect.ASK), rule(much, Effect.DENY));
		ToolCall call = ToolCall.of("a", Map.of("l", IntStream.range(0, 1100).boxed().toList()));
		assertThat(policy(List.of(rules.get(1), rules.get(0))).preCall(call).verdict())
			.isEqualTo(policy(rules).preCall(call).verdict())
			.isNotEqualTo(Verdict.APPROVE);
	}

	@Test
	void policyThatHidesHidesWhatARuleDeniesAlways() {
		List<PolicyRule> rules = List.of(rule("call.workspace == 'prod'", Effect.DENY));
		PolicyToolHook policy = new PolicyToolHook(
				new PolicyConfig(null, null, null, null, null, null, null, rules, null, null, true, false, null, null,
						null, null, null, null, null, null, null),
				null, (written) -> RuleReader.readToolRules(written, Clock.systemUTC()));
		assertThat(policy.hides(ToolCall.of("a", Map.of()))).isFalse();
		assertThat(policy.hides(ToolCall.of("a", Map.of(), CallContext.empty().withWorkspace("prod")))).isTrue();
		assertThat(policy(rules).hides(ToolCall.of("a", Map.of(), CallContext.empty().withWorkspace("prod"))))
			.isFalse();
	}

	@Test
	void ruleThatHidesHidesWhatItDeniesAlwaysAndNothingElse() {
		PolicyRule hiding = new PolicyRule(null, List.of("delete_*"), null, "call.workspace == 'prod'", null,
				Effect.DENY, null, true, null, null, null);
		PolicyToolHook policy = policy(
				List.of(hiding, rule("call.workspace == 'prod'", Effect.DENY), rule("args.x > 1", Effect.DENY)));
		CallContext prod = CallContext.empty().withWorkspace("prod");
		assertThat(policy.isHiding()).isTrue();
		assertThat(policy.hides(ToolCall.of("delete_file", Map.of(), prod))).isTrue();
		assertThat(policy.hides(ToolCall.of("delete_file", Map.of()))).isFalse();
		assertThat(policy.hides(ToolCall.of("read_file", Map.of(), prod))).isFalse();
		assertThat(policy.preCall(ToolCall.of("delete_file", Map.of(), prod)).verdict()).isEqualTo(Verdict.DENY);
		assertThat(policy(List.of(rule("call.workspace == 'prod'", Effect.DENY))).isHiding()).isFalse();
	}

	private static PolicyRule rule(String when, Effect then) {
		return new PolicyRule(null, null, null, when, null, then, null, false, null, null, null);
	}

}
