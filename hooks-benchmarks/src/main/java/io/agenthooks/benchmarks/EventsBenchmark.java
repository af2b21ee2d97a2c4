package io.agenthooks.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;

import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * What the events of Spring cost: the chain of an application with one hook that
 * approves, two events a call, beside the same chain without Spring.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EventsBenchmark {

	private static final ToolResult RESULT = ToolResult.success("done");

	private final ToolExecutor executor = (call) -> RESULT;

	private final ToolCall call = ToolCall.of("read_file", Map.of("path", "notes.txt"));

	private final ToolHookChain plain = new ToolHookChain(List.of((PreToolHook) EventsBenchmark::decide), List.of());

	private final AnnotationConfigApplicationContext unheard = new AnnotationConfigApplicationContext();

	private final AnnotationConfigApplicationContext heard = new AnnotationConfigApplicationContext();

	private ToolHookChain unheardChain = this.plain;

	private ToolHookChain heardChain = this.plain;

	/**
	 * Start the applications.
	 */
	@Setup
	public void start() {
		this.unheardChain = start(this.unheard);
		this.heard.registerBean(Counter.class);
		this.heardChain = start(this.heard);
	}

	private static ToolHookChain start(AnnotationConfigApplicationContext context) {
		context.registerBean("hook", PreToolHook.class, () -> EventsBenchmark::decide);
		context.register(ToolCallHooksAutoConfiguration.class);
		context.refresh();
		return context.getBean(ToolHookChain.class);
	}

	private static ToolDecision decide(ToolCall call) {
		return (call.tool().isEmpty()) ? ToolDecision.deny("empty") : ToolDecision.approve();
	}

	/**
	 * Close the applications.
	 */
	@TearDown
	public void close() {
		this.unheard.close();
		this.heard.close();
	}

	/**
	 * No events.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult noEvents() {
		return this.plain.execute(this.call, this.executor);
	}

	/**
	 * Events that nobody listens to.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult unheardEvents() {
		return this.unheardChain.execute(this.call, this.executor);
	}

	/**
	 * Events that a method listens to.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult heardEvents() {
		return this.heardChain.execute(this.call, this.executor);
	}

	static class Counter {

		private final LongAdder nanos = new LongAdder();

		@EventListener
		void count(ToolCallEvent.Ended event) {
			this.nanos.add(event.outcome().duration().toNanos());
		}

	}

}
