package io.agenthooks.benchmarks;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

import io.agenthooks.CallContext;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolResult;

/**
 * Calls of eight threads that all belong to one session, which has a limit that is never
 * used up, beside a map in which all of them count under one key. An iteration is short
 * and has a limit of its own, since the largest one that can be written does not last a
 * second.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Threads(8)
@Fork(1)
@Warmup(iterations = 10, time = LimitBenchmark.MILLIS, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = LimitBenchmark.MILLIS, timeUnit = TimeUnit.MILLISECONDS)
public class LimitBenchmark {

	/** The time that an iteration takes. */
	static final int MILLIS = 200;

	private static final Map<String, Object> LIMIT = Map.of("type", "rate_limit", "config.limit", "1000000 per 1s",
			"config.key", "session");

	private static final ToolCall CALL = ToolCall.of("refund", Map.of(), CallContext.ofSession("hot"));

	private final Map<String, Long> counts = new ConcurrentHashMap<>();

	private @Nullable HookedApplication unlimited;

	private @Nullable HookedApplication limited;

	/**
	 * Start an application without a limit, and one with a new limit.
	 */
	@Setup(Level.Iteration)
	public void start() {
		this.unlimited = new HookedApplication(Map.of());
		this.limited = new HookedApplication(LIMIT, LimitHooksAutoConfiguration.class);
	}

	/**
	 * Close the applications.
	 */
	@TearDown(Level.Iteration)
	public void close() {
		Objects.requireNonNull(this.unlimited).close();
		Objects.requireNonNull(this.limited).close();
	}

	/**
	 * Count under a key, and nothing else.
	 * @return the count
	 */
	@Benchmark
	public Long compute() {
		return this.counts.merge("hot", 1L, Long::sum);
	}

	/**
	 * Make a call without a limit.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult unlimited() {
		return Objects.requireNonNull(this.unlimited).execute(CALL);
	}

	/**
	 * Make a call with a limit.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult limited() {
		ToolResult result = Objects.requireNonNull(this.limited).execute(CALL);
		if (!result.succeeded()) {
			throw new IllegalStateException("The limit is used up");
		}
		return result;
	}

}
