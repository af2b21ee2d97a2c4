package io.agenthooks.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import com.sun.management.ThreadMXBean;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * What a call of a session costs whose limit is never used up, in processor time and
 * memory, also on a machine that does other things: the lowest of some rounds, which take
 * turns. {@link LimitBenchmark} measures time, which needs a quiet machine.
 */
public final class HotKey {

	private static final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static final Duration ROUND = Duration.ofMillis(250);

	private static final int WARMUP = 2;

	private static final int AT_ONCE = 200;

	/** The most that can be written. */
	private static final int CALLS = 1_000_000;

	private HotKey() {
	}

	/**
	 * Print what calls cost.
	 * @param arguments how many threads call, and how many rounds are made
	 * @throws InterruptedException if the thread is interrupted
	 * @throws ExecutionException if a limit is used up
	 */
	public static void main(String[] arguments) throws InterruptedException, ExecutionException {
		int callers = Integer.parseInt(arguments[0]);
		int rounds = Integer.parseInt(arguments[1]);
		Map<String, Cost> lowest = new LinkedHashMap<>();
		for (int i = 0; i < rounds + WARMUP; i++) {
			for (Map.Entry<String, Supplier<Supplier<BooleanSupplier>>> one : ways().entrySet()) {
				Cost cost = round(one.getValue().get(), callers);
				if (i >= WARMUP) {
					lowest.merge(one.getKey(), cost, Cost::least);
				}
			}
		}
		lowest.forEach((way, cost) -> System.out.printf("%-14s %6.1f ns %5.0f B%n", way, cost.nanos(), cost.bytes()));
	}

	/**
	 * Each makes, for a round, what makes the calls of a thread.
	 */
	private static Map<String, Supplier<Supplier<BooleanSupplier>>> ways() {
		Map<String, Supplier<Supplier<BooleanSupplier>>> ways = new LinkedHashMap<>();
		ways.put("bucket4j", () -> {
			Bucket bucket = Bucket.builder()
				.addLimit((limit) -> limit.capacity(CALLS * 1_000L).refillGreedy(CALLS * 1_000L, Duration.ofSeconds(1)))
				.build();
			return () -> () -> bucket.tryConsume(1);
		});
		ways.put("resilience4j", () -> {
			RateLimiter limiter = RateLimiter.of("hot",
					RateLimiterConfig.custom()
						.limitForPeriod(Integer.MAX_VALUE)
						.limitRefreshPeriod(Duration.ofSeconds(1))
						.timeoutDuration(Duration.ZERO)
						.build());
			return () -> limiter::acquirePermission;
		});
		ways.put("hook", HotKey::hook);
		return ways;
	}

	@SuppressWarnings("unchecked")
	private static Supplier<BooleanSupplier> hook() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
				LimitHooksAutoConfiguration.class)) {
			ToolHookFactory<Object> factory = context.getBean("rateLimitToolHookFactory", ToolHookFactory.class);
			Object config = new Binder(
					new MapConfigurationPropertySource(Map.of("h.limit", CALLS + " per 1s", "h.key", "session")))
				.bind("h", Bindable.of(factory.configType()))
				.get();
			Object hook = factory.create("hot", config);
			return () -> {
				ToolCall call = ToolCall.of("refund", Map.of(), CallContext.ofSession("hot"));
				ToolOutcome outcome = ToolOutcome.of(call, ToolCallStatus.SUCCEEDED, ToolResult.success("done"), null,
						Duration.ofNanos(1));
				return () -> {
					Verdict verdict = ((PreToolHook) hook).preCall(call).verdict();
					((PostToolHook) hook).postCall(outcome);
					return verdict == Verdict.APPROVE;
				};
			};
		}
	}

	/**
	 * Let all threads call for a while, or until the limit is about to be used up.
	 */
	private static Cost round(Supplier<BooleanSupplier> way, int callers)
			throws InterruptedException, ExecutionException {
		ExecutorService pool = Executors.newFixedThreadPool(callers);
		try {
			long end = System.nanoTime() + ROUND.toNanos();
			List<Callable<Work>> all = new ArrayList<>();
			for (int i = 0; i < callers; i++) {
				all.add(() -> work(way.get(), end, CALLS / callers - AT_ONCE));
			}
			Work sum = new Work(0, 0, 0);
			for (Future<Work> one : pool.invokeAll(all)) {
				sum = sum.plus(one.get());
			}
			return new Cost((double) sum.nanos() / sum.calls(), (double) sum.bytes() / sum.calls());
		}
		finally {
			pool.shutdownNow();
		}
	}

	private static Work work(BooleanSupplier call, long end, long most) {
		long id = Thread.currentThread().getId();
		long bytes = threads.getThreadAllocatedBytes(id);
		long nanos = threads.getCurrentThreadCpuTime();
		long calls = 0;
		while (calls < most && System.nanoTime() - end < 0) {
			for (int i = 0; i < AT_ONCE; i++) {
				if (!call.getAsBoolean()) {
					throw new IllegalStateException("The limit is used up");
				}
			}
			calls += AT_ONCE;
		}
		return new Work(calls, threads.getCurrentThreadCpuTime() - nanos, threads.getThreadAllocatedBytes(id) - bytes);
	}

	/**
	 * What threads did.
	 *
	 * @param calls how many calls they made
	 * @param nanos the processor time that they took
	 * @param bytes the memory that they took
	 */
	private record Work(long calls, long nanos, long bytes) {

		Work plus(Work other) {
			return new Work(this.calls + other.calls, this.nanos + other.nanos, this.bytes + other.bytes);
		}

	}

	/**
	 * What a call costs.
	 *
	 * @param nanos processor time in nanoseconds
	 * @param bytes memory
	 */
	private record Cost(double nanos, double bytes) {

		Cost least(Cost other) {
			return (this.nanos <= other.nanos) ? this : other;
		}

	}

}
