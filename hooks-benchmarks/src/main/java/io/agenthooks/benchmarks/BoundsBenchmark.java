package io.agenthooks.benchmarks;

import java.time.Duration;
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

import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallListener;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * What the bound in time costs that a post-call hook and a listener have, which return at
 * once: none, as in a chain without the starter; the usual one; and a {@code timeout} of
 * their own, which moves the hook to another thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BoundsBenchmark {

	private static final ToolResult RESULT = ToolResult.success("done");

	private final ToolExecutor executor = (call) -> RESULT;

	private final ToolCall call = ToolCall.of("read_file", Map.of("path", "notes.txt"));

	private final Learning hook = new Learning();

	private final AnnotationConfigApplicationContext hooked = new AnnotationConfigApplicationContext();

	private final AnnotationConfigApplicationContext limited = new AnnotationConfigApplicationContext();

	private final AnnotationConfigApplicationContext heard = new AnnotationConfigApplicationContext();

	private final ToolHookChain unboundHook = new ToolHookChain(List.of(), List.of(this.hook));

	private final ToolHookChain unboundListener = new ToolHookChain(List.of(), List.of(), List.of(),
			ToolApprover.nobody(), new Publishing(this.heard));

	private ToolHookChain boundHook = this.unboundHook;

	private ToolHookChain limitedHook = this.unboundHook;

	private ToolHookChain boundListener = this.unboundHook;

	/**
	 * Start the applications.
	 */
	@Setup
	public void start() {
		this.hooked.registerBean("hook", PostToolHook.class, () -> this.hook);
		this.boundHook = start(this.hooked);
		this.limitedHook = start(this.limited);
		this.limited.getBean(ToolHooks.class)
			.register("limited", this.hook, HookOptions.defaults().timeout(Duration.ofSeconds(10)));
		this.heard.registerBean(Counter.class);
		this.boundListener = start(this.heard);
	}

	private static ToolHookChain start(AnnotationConfigApplicationContext context) {
		context.register(ToolCallHooksAutoConfiguration.class);
		context.refresh();
		return context.getBean(ToolHookChain.class);
	}

	/**
	 * Close the applications.
	 */
	@TearDown
	public void close() {
		this.hooked.close();
		this.limited.close();
		this.heard.close();
	}

	/**
	 * A hook without a bound.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult unboundHook() {
		return this.unboundHook.execute(this.call, this.executor);
	}

	/**
	 * A hook that is interrupted if it takes too long.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult boundHook() {
		return this.boundHook.execute(this.call, this.executor);
	}

	/**
	 * A hook that is left behind on another thread if it takes too long.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult limitedHook() {
		return this.limitedHook.execute(this.call, this.executor);
	}

	/**
	 * A method that listens to events, without a bound.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult unboundListener() {
		return this.unboundListener.execute(this.call, this.executor);
	}

	/**
	 * A method that listens to events, and is interrupted if it takes too long.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult boundListener() {
		return this.boundListener.execute(this.call, this.executor);
	}

	private static final class Learning implements PostToolHook {

		private final LongAdder nanos = new LongAdder();

		@Override
		public void postCall(ToolOutcome outcome) {
			this.nanos.add(outcome.duration().toNanos());
		}

	}

	/**
	 * What the starter does without a bound.
	 *
	 * @param context where events are published
	 */
	private record Publishing(AnnotationConfigApplicationContext context) implements ToolCallListener {

		@Override
		public void onEvent(ToolCallEvent event) {
			if (this.context.isActive()) {
				this.context.publishEvent(event);
			}
		}

	}

	static class Counter {

		private final LongAdder nanos = new LongAdder();

		@EventListener
		void count(ToolCallEvent.Ended event) {
			this.nanos.add(event.outcome().duration().toNanos());
		}

	}

}
