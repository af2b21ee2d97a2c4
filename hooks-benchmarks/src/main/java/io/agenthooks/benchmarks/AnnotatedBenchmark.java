package io.agenthooks.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.agenthooks.spring.annotation.AnnotatedToolHook;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * What an annotated method costs beside a hook that does the same: one hook that
 * approves.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AnnotatedBenchmark {

	private static final ToolResult RESULT = ToolResult.success("done");

	private final ToolExecutor executor = (call) -> RESULT;

	private final ToolCall call = ToolCall.of("read_file", Map.of("path", "notes.txt"));

	private final ToolHookChain lambda = new ToolHookChain(List.of((PreToolHook) AnnotatedBenchmark::decide),
			List.of());

	private ToolHookChain annotated = this.lambda;

	private ToolHookChain promised = this.lambda;

	/**
	 * Make the chains.
	 */
	@Setup
	public void makeChains() {
		this.annotated = chain(new Annotated());
		this.promised = chain(new Promised());
	}

	private static ToolHookChain chain(Object bean) {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerSingleton("bean", bean);
		List<PreToolHook> hooks = AnnotatedToolHooks.findIn(beanFactory)
			.hooks()
			.stream()
			.map(AnnotatedToolHook::hook)
			.map(PreToolHook.class::cast)
			.toList();
		return new ToolHookChain(hooks, List.of());
	}

	private static ToolDecision decide(ToolCall call) {
		return (call.tool().isEmpty()) ? ToolDecision.deny("empty") : ToolDecision.approve();
	}

	/**
	 * The hook is a lambda.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult lambda() {
		return this.lambda.execute(this.call, this.executor);
	}

	/**
	 * The hook is an annotated method.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult annotated() {
		return this.annotated.execute(this.call, this.executor);
	}

	/**
	 * The hook is an annotated method that promises its decision, and keeps the promise
	 * at once.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult promised() {
		return this.promised.execute(this.call, this.executor);
	}

	static final class Annotated {

		@BeforeToolCall
		ToolDecision decide(ToolCall call) {
			return AnnotatedBenchmark.decide(call);
		}

	}

	static final class Promised {

		@BeforeToolCall
		CompletionStage<ToolDecision> decide(ToolCall call) {
			return CompletableFuture.completedStage(AnnotatedBenchmark.decide(call));
		}

	}

}
