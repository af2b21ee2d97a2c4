package io.agenthooks.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.CallContext;
import io.agenthooks.spring.answer.AnswerHooksAutoConfiguration;
import io.agenthooks.spring.answer.ToolResultCacheProvider;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * What a cache adds to a call: one that it answers, and one that it does not and whose
 * result it keeps, in the place of an older one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CacheBenchmark {

	private static final ToolResult RESULT = ToolResult.success("done");

	private static final CallContext SESSION = CallContext.ofSession("0b1c2d3e-session").withUser("alice");

	/**
	 * How long the text among the arguments is.
	 */
	@Param({ "30", "10000" })
	public int length;

	private final ToolExecutor executor = (call) -> RESULT;

	private String text = "";

	private ToolCall known = call(0);

	private int count;

	private @Nullable HookedApplication application;

	private ToolHookChain chain = new ToolHookChain(List.of(), List.of());

	/**
	 * Make the chain, and let it know a result.
	 */
	@Setup
	public void makeChain() {
		this.text = "x".repeat(this.length);
		this.application = new HookedApplication(Map.of("type", "cache", "match", "search"), CaffeineResults.class,
				AnswerHooksAutoConfiguration.class);
		this.chain = this.application.chain();
		this.known = call(0);
		this.chain.execute(this.known, this.executor);
	}

	/**
	 * Close the application.
	 */
	@TearDown
	public void close() {
		Objects.requireNonNull(this.application).close();
	}

	private ToolCall call(int n) {
		return new ToolCall("c" + n, "search", Map.of("query", this.text, "page", n), SESSION);
	}

	/**
	 * The tool alone.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult direct() {
		return this.executor.execute(this.known);
	}

	/**
	 * The cache answers.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult hit() {
		return this.chain.execute(this.known, this.executor);
	}

	/**
	 * The tool runs, and its result is kept. The call is made, too: see {@link #made()}.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult miss() {
		return this.chain.execute(call(++this.count), this.executor);
	}

	/**
	 * A new call alone, which is a part of each miss.
	 * @return the call, so that it is used
	 */
	@Benchmark
	public ToolCall made() {
		return call(++this.count);
	}

	@Configuration(proxyBeanMethods = false)
	static class CaffeineResults {

		@Bean
		ToolResultCacheProvider caches() {
			return ToolResultCacheProvider.caffeine();
		}

	}

}
