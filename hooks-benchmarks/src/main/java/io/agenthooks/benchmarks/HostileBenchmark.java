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

import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * The cost of a text of 100 KB that was made to be slow: for one pattern, and for a
 * thousand. The same texts keep {@code java.util.regex} busy for seconds or overflow its
 * stack.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HostileBenchmark {

	private static final int LENGTH = 102_400;

	/**
	 * The pattern and its text.
	 */
	@Param
	public Hostile hostile = Hostile.CURL_TO_SHELL;

	private PreToolHook policy = (call) -> ToolDecision.approve();

	private ToolCall call = ToolCall.of("run_command", Map.of());

	/**
	 * Make the policy and the call.
	 */
	@Setup
	public void makePolicy() {
		this.policy = new PolicyToolHook(
				new PolicyConfig(null, null, Map.of("command", this.hostile.patterns()), null));
		this.call = ToolCall.of("run_command", Map.of("command", this.hostile.text(LENGTH)));
	}

	/**
	 * The policy, warm.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolDecision policy() {
		return this.policy.preCall(this.call);
	}

	/**
	 * A pattern with a text that is slow for it in engines that backtrack.
	 */
	public enum Hostile {

		/** The seed's own pattern. */
		CURL_TO_SHELL("curl.*\\|.*sh", "curl|"),

		/** Nested repetition. */
		NESTED_PLUS("(a+)+$", "a"),

		/** Repetition of a repetition, and no end. */
		PLUS_OF_PLUS("(x+x+)+y", "x"),

		/** Many ways to place letters. */
		DOT_STAR("(.*a){12}$", "a"),

		/** Many ways to leave letters out. */
		OPTIONAL("a{0,25}a{25}$", "aab"),

		/** Blanks that do not end the text. */
		TRAILING_SPACE("\\s+$", " x"),

		/** An alternation that overflows the stack. */
		ALTERNATION("(a|b)*c", "ab"),

		/** Options of a command. */
		OPTIONS_OF_RM("rm\\s+(-\\w+\\s+)*-rf", "rm -a "),

		/** Counters within counters. */
		COUNTERS("([a-c]{1,50}[b-d]{1,50}){1,10}x", "abcd"),

		/** A secret scanner's pattern. */
		VENDOR("[\\w.-]{0,50}?heroku[\\s'\"]{0,3}=[\\s'\"]{0,5}[a-z0-9]{20}", "herok"),

		/** A thousand patterns, random text. */
		THOUSAND_RANDOM("", "random"),

		/** A thousand patterns, text of their beginnings. */
		THOUSAND_BEGINNINGS("", "beginnings");

		private final String pattern;

		private final String unit;

		Hostile(String pattern, String unit) {
			this.pattern = pattern;
			this.unit = unit;
		}

		List<String> patterns() {
			return (this.pattern.isEmpty()) ? Texts.patterns(1000) : List.of(this.pattern);
		}

		String text(int length) {
			return switch (this) {
				case THOUSAND_RANDOM -> Texts.random(length);
				case THOUSAND_BEGINNINGS -> Texts.beginnings(patterns(), length);
				default -> this.unit.repeat(length / this.unit.length() + 1).substring(0, length);
			};
		}

	}

}
