package io.agenthooks.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.agenthooks.CallContext;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.cel.CelConditionsAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * A policy with rules of three variables each, compared to the same as a hook in Java. No
 * rule matches, so all are asked.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RuleBenchmark {

	/**
	 * How many rules the policy has.
	 */
	@Param({ "1", "10", "100" })
	public int rules;

	private ToolCall call = ToolCall.of("refund_order", Map.of());

	private PreToolHook policy = (call) -> ToolDecision.approve();

	private PreToolHook java = (call) -> ToolDecision.approve();

	/**
	 * Make the policy and the call.
	 */
	@Setup
	@SuppressWarnings("unchecked")
	public void makePolicy() {
		List<PolicyRule> rules = new ArrayList<>();
		for (int i = 0; i < this.rules; i++) {
			rules.add(
					new PolicyRule("rule" + i, List.of("refund_*"), null,
							"args.amount > %d && call.workspace == 'main' && !('ROLE_%d' in user.authorities)"
								.formatted(500 + i, i),
							null, PolicyRule.Effect.DENY, "Too much", false, null, null, null));
		}
		this.call = ToolCall.of("refund_order", Map.of("amount", 120, "order", "A-17", "reason", "broken"),
				CallContext.empty().withUser("ann").withAuthorities(List.of("ROLE_USER")));
		try (var context = new AnnotationConfigApplicationContext(CelConditionsAutoConfiguration.class,
				PolicyHooksAutoConfiguration.class)) {
			ToolHookFactory<PolicyConfig> factory = context.getBean("policyToolHookFactory", ToolHookFactory.class);
			this.policy = (PreToolHook) factory.create("rules", new PolicyConfig(null, null, null, null, null, null,
					null, rules, null, null, false, false, null, null, null, null, null, null, null, null, null));
		}
		int count = this.rules;
		this.java = (call) -> decide(call, count);
	}

	private static ToolDecision decide(ToolCall call, int count) {
		for (int i = 0; i < count; i++) {
			if (call.arguments().get("amount") instanceof Number amount && amount.longValue() > 500 + i
					&& call.context().workspace().equals("main")
					&& !call.context().authorities().contains("ROLE_USER")) {
				return ToolDecision.deny("Too much");
			}
		}
		return ToolDecision.approve();
	}

	/**
	 * The policy.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolDecision policy() {
		return this.policy.preCall(this.call);
	}

	/**
	 * The same in Java.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolDecision javaHook() {
		return this.java.preCall(this.call);
	}

}
