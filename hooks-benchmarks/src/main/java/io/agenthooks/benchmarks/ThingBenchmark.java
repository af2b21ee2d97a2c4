package io.agenthooks.benchmarks;

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

import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.cel.CelConditionsAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * A policy with one rule that reads what an argument means, compared to one that compares
 * its text. The calls are small, and no rule matches.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ThingBenchmark {

	/**
	 * The part of the argument that the condition reads.
	 */
	@Param
	public Reads reads = Reads.TEXT;

	private ToolCall call = ToolCall.of("run", Map.of());

	private PreToolHook policy = (call) -> ToolDecision.approve();

	/**
	 * Make the policy and the call.
	 */
	@Setup
	@SuppressWarnings("unchecked")
	public void makePolicy() {
		PolicyRule rule = new PolicyRule("rule", List.of("run"), null, this.reads.condition, null,
				PolicyRule.Effect.DENY, "No", false, null, null, null);
		this.call = ToolCall.of("run", Map.of("a", this.reads.argument));
		try (var context = new AnnotationConfigApplicationContext(CelConditionsAutoConfiguration.class,
				PolicyHooksAutoConfiguration.class)) {
			ToolHookFactory<PolicyConfig> factory = context.getBean("policyToolHookFactory", ToolHookFactory.class);
			this.policy = (PreToolHook) factory.create("rules",
					new PolicyConfig(null, null, null, null, null, null, null, List.of(rule), null, null, false, false,
							null, null, null, null, null, null, null, null, null));
		}
		if (!(this.policy.preCall(this.call) instanceof ToolDecision.Approve)) {
			throw new IllegalStateException("The rule matches");
		}
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
	 * The conditions, each with the argument that it reads.
	 */
	public enum Reads {

		/** The text itself. */
		TEXT("args.a == 'x'", "ann@example.com"),

		/** A mail address with a name. */
		MAILS("mails(args.a).exists(m, m.domain != 'example.com')", "Ann <ann@example.com>"),

		/** A URL. */
		URL("!url(args.a).host.under('example.com')", "https://www.example.com/orders/17?page=2"),

		/** The path of a file. */
		PATH("!path(args.a).under('/data')", "/data/reports/2026/march.csv"),

		/** A command. */
		WORDS("'--force' in words(args.a)", "git push origin main --follow-tags"),

		/** An amount. */
		MONEY("money(args.a) > 500", "499.99 EUR");

		private final String condition;

		private final String argument;

		Reads(String condition, String argument) {
			this.condition = condition;
			this.argument = argument;
		}

	}

}
