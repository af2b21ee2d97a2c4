package io.agenthooks.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

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

import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * The cost of a policy for a text that no pattern matches, which is the common case,
 * beside a loop over the same patterns with RE2/J and with {@code java.util.regex}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PolicyBenchmark {

	/**
	 * How many patterns the policy has.
	 */
	@Param({ "4", "100", "1000" })
	public int patterns;

	/**
	 * How many characters the argument has.
	 */
	@Param({ "30", "1024", "102400" })
	public int length;

	private String text = "";

	private ToolCall call = ToolCall.of("run_command", Map.of());

	private PreToolHook policy = (call) -> ToolDecision.approve();

	private List<com.google.re2j.Pattern> re2 = List.of();

	private List<Pattern> java = List.of();

	/**
	 * Make the policy and the call.
	 */
	@Setup
	public void makePolicy() {
		List<String> patterns = Texts.patterns(this.patterns);
		this.text = Texts.benign(this.length);
		this.call = ToolCall.of("run_command", Map.of("command", this.text));
		this.policy = new PolicyToolHook(new PolicyConfig(null, null, Map.of("command", patterns), null));
		this.re2 = patterns.stream()
			.map((pattern) -> com.google.re2j.Pattern.compile(pattern, com.google.re2j.Pattern.DOTALL))
			.toList();
		this.java = patterns.stream()
			.map((pattern) -> Pattern.compile(pattern, Pattern.DOTALL | Pattern.UNICODE_CASE))
			.toList();
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
	 * A loop with RE2/J.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public boolean re2Loop() {
		return this.re2.stream().anyMatch((pattern) -> pattern.matcher(this.text).find());
	}

	/**
	 * A loop with {@code java.util.regex}.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public boolean javaLoop() {
		return this.java.stream().anyMatch((pattern) -> pattern.matcher(this.text).find());
	}

}
