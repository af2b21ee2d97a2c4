package io.agenthooks.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.agenthooks.AbortedRuns;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * The cost of metrics for a call.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MetricsBenchmark {

	private static final ToolResult RESULT = ToolResult.success("done");

	private final AnnotationConfigApplicationContext context = start();

	private final ToolExecutor executor = (call) -> RESULT;

	private final ToolCall call = ToolCall.of("read_file", Map.of("path", "notes.txt"));

	private final PreToolHook hook = (call) -> ToolDecision.approve();

	private final PostToolHook metrics = this.context.getBean("toolCallMetrics", PostToolHook.class);

	private final ToolHookChain without = new ToolHookChain(List.of(this.hook), List.of());

	private final ToolHookChain withAllMetrics = chainWithAllMetrics();

	private ToolHookChain chainWithAllMetrics() {
		ToolHookChain chain = ToolHookChain.of(List.of(HookEntry.of(this.hook).named("hook").typed("bean")), List.of(),
				List.of(HookEntry.of(this.metrics)), ToolApprover.nobody(), null, new AbortedRuns());
		chain.setWatches(List.of(this.context.getBean("hookMetrics", CallWatch.class)));
		return chain;
	}

	private static AnnotationConfigApplicationContext start() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(MeterRegistry.class, () -> new SimpleMeterRegistry());
		context.registerBean(ToolExecutor.class, ReadFile::new);
		context.register(ToolCallMetricsAutoConfiguration.class);
		context.refresh();
		return context;
	}

	/**
	 * Close the application.
	 */
	@TearDown
	public void close() {
		this.context.close();
	}

	/**
	 * One hook that approves.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult withoutMetrics() {
		return this.without.execute(this.call, this.executor);
	}

	/**
	 * The same, and the timers of calls and of the hook.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult withAllMetrics() {
		return this.withAllMetrics.execute(this.call, this.executor);
	}

	/** Says which tools there are, so that their names become tags. */
	private static final class ReadFile implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return RESULT;
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("read_file");
		}

	}

}
