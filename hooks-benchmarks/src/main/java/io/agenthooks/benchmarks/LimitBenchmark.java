package io.agenthooks.benchmarks;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
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
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Eight threads whose calls all belong to one session, which has a limit that is never
 * used up, compared to libraries that limit without knowing calls. An iteration is short
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

	/** How long an iteration takes. */
	static final int MILLIS = 200;

	private static final ToolResult RESULT = ToolResult.success("done");

	/** The most that can be written. */
	private static final int CALLS = 1_000_000;

	private final Bucket bucket = Bucket.builder()
		.addLimit((limit) -> limit.capacity(CALLS * 1_000L).refillGreedy(CALLS * 1_000L, Duration.ofSeconds(1)))
		.build();

	private final Map<String, Bucket> buckets = new ConcurrentHashMap<>(Map.of("hot", this.bucket));

	private final RateLimiter limiter = RateLimiter.of("hot",
			RateLimiterConfig.custom()
				.limitForPeriod(Integer.MAX_VALUE)
				.limitRefreshPeriod(Duration.ofSeconds(1))
				.timeoutDuration(Duration.ZERO)
				.build());

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
			LimitHooksAutoConfiguration.class);

	private @Nullable HookedApplication application;

	private PreToolHook before = (call) -> ToolDecision.approve();

	private PostToolHook after = (outcome) -> {
	};

	/**
	 * Make the hook, and an application that has one.
	 */
	@Setup(Level.Iteration)
	@SuppressWarnings("unchecked")
	public void makeHook() {
		ToolHookFactory<Object> factory = this.context.getBean("rateLimitToolHookFactory", ToolHookFactory.class);
		Object config = new Binder(
				new MapConfigurationPropertySource(Map.of("h.limit", CALLS + " per 1s", "h.key", "session")))
			.bind("h", Bindable.of(factory.configType()))
			.get();
		Object hook = factory.create("hot", config);
		this.before = (PreToolHook) hook;
		this.after = (PostToolHook) hook;
		this.application = new HookedApplication(
				Map.of("type", "rate_limit", "config.limit", CALLS + " per 1s", "config.key", "session"),
				LimitHooksAutoConfiguration.class);
	}

	/**
	 * Close the application.
	 */
	@TearDown(Level.Iteration)
	public void closeApplication() {
		Objects.requireNonNull(this.application).close();
	}

	/**
	 * Close what made the hook.
	 */
	@TearDown
	public void close() {
		this.context.close();
	}

	/**
	 * A bucket of Bucket4j, and nothing else.
	 * @return whether the call may go on
	 */
	@Benchmark
	public boolean bucket4j() {
		return this.bucket.tryConsume(1);
	}

	/**
	 * A bucket of Bucket4j that is found by the session of the call.
	 * @param caller who calls
	 * @return whether the call may go on
	 */
	@Benchmark
	public boolean bucket4jByKey(Caller caller) {
		Bucket found = this.buckets.get(String.valueOf(caller.call.context().sessionId()));
		return found != null && found.tryConsume(1);
	}

	/**
	 * A limiter of Resilience4j, and nothing else.
	 * @return whether the call may go on
	 */
	@Benchmark
	public boolean resilience4j() {
		return this.limiter.acquirePermission();
	}

	/**
	 * What the hook does about a call, before it and after it.
	 * @param caller who calls
	 * @return the decision, so that it is used
	 */
	@Benchmark
	public ToolDecision hook(Caller caller) {
		ToolDecision decision = this.before.preCall(caller.call);
		this.after.postCall(caller.outcome);
		if (decision.verdict() != Verdict.APPROVE) {
			throw new IllegalStateException("The limit is used up");
		}
		return decision;
	}

	/**
	 * The whole call in an application, of a tool that does nothing.
	 * @param caller who calls
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult call(Caller caller) {
		ToolResult result = Objects.requireNonNull(this.application).execute(caller.call);
		if (!result.succeeded()) {
			throw new IllegalStateException("The limit is used up");
		}
		return result;
	}

	/**
	 * A thread that calls.
	 */
	@State(Scope.Thread)
	public static class Caller {

		private final ToolCall call = ToolCall.of("refund", Map.of(), CallContext.ofSession("hot"));

		private final ToolOutcome outcome = ToolOutcome.of(this.call, ToolCallStatus.SUCCEEDED, RESULT, null,
				Duration.ofNanos(1));

	}

}
