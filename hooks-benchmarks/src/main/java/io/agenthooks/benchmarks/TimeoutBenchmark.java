package io.agenthooks.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * What a time limit costs a hook that returns at once: handed to another thread, as the
 * starter does it, or watched by a scheduled task that interrupts the calling thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TimeoutBenchmark {

	private static final ToolResult RESULT = ToolResult.success("done");

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final ExecutorService threads = Executors.newCachedThreadPool(TimeoutBenchmark::daemon);

	private final ScheduledThreadPoolExecutor watchdog = new ScheduledThreadPoolExecutor(1, TimeoutBenchmark::daemon);

	private final ToolExecutor executor = (call) -> RESULT;

	private final ToolCall call = ToolCall.of("read_file", Map.of("path", "notes.txt"));

	private final PreToolHook hook = (call) -> (call.tool().isEmpty()) ? ToolDecision.deny("empty")
			: ToolDecision.approve();

	private final ToolHookChain unlimited = new ToolHookChain(List.of(this.hook), List.of());

	private final ToolHookChain handedOff = new ToolHookChain(List.of(new HandedOff(this.hook, this.threads)),
			List.of());

	private final ToolHookChain watched = new ToolHookChain(List.of(new Watched(this.hook, this.watchdog)), List.of());

	/**
	 * Let the watchdog forget what is over, as a real one would have to.
	 */
	public TimeoutBenchmark() {
		this.watchdog.setRemoveOnCancelPolicy(true);
	}

	private static Thread daemon(Runnable task) {
		Thread thread = new Thread(task, "time-limit");
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * End the threads.
	 */
	@TearDown
	public void endThreads() {
		this.threads.shutdownNow();
		this.watchdog.shutdownNow();
	}

	/**
	 * The hook without a limit.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult unlimited() {
		return this.unlimited.execute(this.call, this.executor);
	}

	/**
	 * The hook on another thread.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult handedOff() {
		return this.handedOff.execute(this.call, this.executor);
	}

	/**
	 * The hook on another thread, for four callers.
	 * @return the result, so that it is used
	 */
	@Benchmark
	@Threads(4)
	public ToolResult handedOffByFour() {
		return this.handedOff.execute(this.call, this.executor);
	}

	/**
	 * The hook watched.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult watched() {
		return this.watched.execute(this.call, this.executor);
	}

	/**
	 * The hook watched, for four callers.
	 * @return the result, so that it is used
	 */
	@Benchmark
	@Threads(4)
	public ToolResult watchedByFour() {
		return this.watched.execute(this.call, this.executor);
	}

	/**
	 * The starter's time limit, which is not visible from here.
	 *
	 * @param delegate the hook
	 * @param executor its threads
	 * @param free how many more threads may hang
	 */
	private record HandedOff(PreToolHook delegate, ExecutorService executor, Semaphore free) implements PreToolHook {

		HandedOff(PreToolHook delegate, ExecutorService executor) {
			this(delegate, executor, new Semaphore(64));
		}

		@Override
		public ToolDecision preCall(ToolCall call) {
			long deadline = System.nanoTime() + TIMEOUT.toNanos();
			FutureTask<ToolDecision> task = new FutureTask<>(() -> this.delegate.preCall(call));
			try {
				if (!this.free.tryAcquire(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
					throw new IllegalStateException("No free thread");
				}
				this.executor.execute(() -> {
					try {
						task.run();
					}
					finally {
						this.free.release();
					}
				});
				return task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException | ExecutionException | TimeoutException ex) {
				throw new IllegalStateException(ex);
			}
			finally {
				task.cancel(true);
			}
		}

	}

	/**
	 * The other way: the hook stays on the calling thread. Whoever comes first, the end
	 * of the hook or the watchdog, wins, so that no interrupt comes too late.
	 *
	 * @param delegate the hook
	 * @param watchdog interrupts
	 */
	private record Watched(PreToolHook delegate, ScheduledThreadPoolExecutor watchdog) implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			Thread caller = Thread.currentThread();
			AtomicBoolean over = new AtomicBoolean();
			var task = this.watchdog.schedule(() -> {
				if (over.compareAndSet(false, true)) {
					caller.interrupt();
				}
			}, TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
			try {
				return this.delegate.preCall(call);
			}
			finally {
				if (over.compareAndSet(false, true)) {
					task.cancel(false);
				}
				else {
					Thread.interrupted();
				}
			}
		}

	}

}
