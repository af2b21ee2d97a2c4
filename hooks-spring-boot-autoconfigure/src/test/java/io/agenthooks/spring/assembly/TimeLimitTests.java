package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.micrometer.context.ContextRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;
import io.agenthooks.Verdict;
import io.agenthooks.chain.NotAskedException;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TimeLimit} and the hooks that it limits.
 */
class TimeLimitTests {

	private static final Duration SHORT = Duration.ofMillis(500);

	private static final Duration LONG = Duration.ofMinutes(1);

	private static final ToolCall CALL = ToolCall.of("t", Map.of());

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HookBounds bounds = Bounds.usual();

	private final BoundCounts counts = new BoundCounts();

	private final CountDownLatch released = new CountDownLatch(1);

	@AfterEach
	void release() {
		this.released.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void decisionInTimeIsTheDecision() {
		TimeLimit limit = limit(LONG);
		assertThat(decide(limit, () -> ToolDecision.deny("no"))).isEqualTo(ToolDecision.deny("no"));
		assertThat(this.counts.abandonedThreads()).isZero();
	}

	@Test
	void hookThatIgnoresInterruptsFailsWithinItsTimeAndIsCountedWhileItHangs() {
		TimeLimit limit = limit(SHORT);
		long start = System.nanoTime();
		assertThatExceptionOfType(TimeLimit.TimeLimitExceededException.class)
			.isThrownBy(() -> decide(limit, this::hang))
			.withMessageContaining("'slow' did not decide within 500 ms");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(SHORT, Duration.ofMinutes(2));
		assertThat(this.counts.abandonedThreads()).isEqualTo(1);
		assertThat(decide(limit, ToolDecision::approve).verdict()).as("a later call").isEqualTo(Verdict.APPROVE);
		this.released.countDown();
		Awaitility.await().untilAsserted(() -> assertThat(this.counts.abandonedThreads()).isZero());
	}

	@Test
	void hookWhoseTimeIsOverIsInterrupted() throws Exception {
		CompletableFuture<String> heard = new CompletableFuture<>();
		assertThatExceptionOfType(TimeLimit.TimeLimitExceededException.class)
			.isThrownBy(() -> decide(limit(SHORT), () -> {
				try {
					this.released.await();
				}
				catch (InterruptedException ex) {
					heard.complete("interrupted");
				}
				return ToolDecision.approve();
			}));
		assertThat(heard.get(1, TimeUnit.MINUTES)).isEqualTo("interrupted");
	}

	@Test
	void contextThatCannotBeCarriedCostsNoThread() {
		TimeLimit limit = limit(LONG);
		ContextRegistry.getInstance().<String>registerThreadLocalAccessor("uncarried", () -> {
			throw new IllegalStateException("not carried");
		}, (value) -> {
		}, () -> {
		});
		try {
			for (int i = 0; i <= TimeLimit.MAX_THREADS; i++) {
				assertThatIllegalStateException().isThrownBy(() -> decide(limit, ToolDecision::approve))
					.withMessage("not carried");
			}
		}
		finally {
			ContextRegistry.getInstance().removeThreadLocalAccessor("uncarried");
		}
		assertThat(decide(limit, ToolDecision::approve).verdict()).isEqualTo(Verdict.APPROVE);
	}

	@Test
	void explanationsTakeNoThreadFromCalls() throws Exception {
		TimeLimit limit = limit(LONG);
		CountDownLatch busy = new CountDownLatch(TimeLimit.MAX_EXPLAINING);
		for (int i = 0; i < TimeLimit.MAX_EXPLAINING; i++) {
			Future<?> unused = this.threads.submit(() -> limit.explain(() -> {
				busy.countDown();
				return hang();
			}));
		}
		busy.await();
		for (int i = 0; i < TimeLimit.MAX_THREADS; i++) {
			assertThatExceptionOfType(NotAskedException.class).isThrownBy(() -> limit.explain(this::hang))
				.withMessage("Not asked: 4 other explanations wait for it");
		}
		assertThat(decide(limit, ToolDecision::approve).verdict()).isEqualTo(Verdict.APPROVE);
		assertThat(this.counts.abandonedThreads()).isZero();
		this.released.countDown();
		Awaitility.await()
			.ignoreExceptionsInstanceOf(NotAskedException.class)
			.until(() -> limit.explain(() -> ToolDecision.deny("no")), ToolDecision.deny("no")::equals);
	}

	@Test
	void atMostSixtyFourThreadsHangAndFurtherCallsFailWithoutAnother() {
		TimeLimit limit = limit(SHORT);
		AtomicInteger begun = new AtomicInteger();
		List<Future<?>> calls = IntStream.range(0, 80).<Future<?>>mapToObj((i) -> this.threads.submit(() -> {
			// Those that find no thread are denied under every mode.
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> decide(limit, () -> {
				begun.incrementAndGet();
				return hang();
			})).isInstanceOfAny(TimeLimit.TimeLimitExceededException.class, NotAskedException.class);
			return null;
		})).toList();
		assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(LONG));
		// On a busy machine some are over before they begin.
		assertThat(begun).hasValueBetween(1, 64);
		Awaitility.await().untilAsserted(() -> assertThat(this.counts.abandonedThreads()).isEqualTo(begun.get()));
		this.released.countDown();
		Awaitility.await().untilAsserted(() -> assertThat(this.counts.abandonedThreads()).isZero());
		assertThat(decide(limit, ToolDecision::approve).verdict()).isEqualTo(Verdict.APPROVE);
	}

	@Test
	void callThatIsInterruptedWhileItWaitsForAThreadLeavesNoneBehind() throws Exception {
		TimeLimit limit = limit(LONG);
		CountDownLatch busy = new CountDownLatch(64);
		List<Future<ToolDecision>> calls = new ArrayList<>();
		IntStream.range(0, 64).forEach((i) -> calls.add(this.threads.submit(() -> decide(limit, () -> {
			busy.countDown();
			return hang();
		}))));
		busy.await();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			assertThatIllegalStateException().isThrownBy(() -> decide(limit, ToolDecision::approve))
				.withMessageContaining("was interrupted");
			interrupted.complete(Thread.currentThread().isInterrupted());
		});
		caller.start();
		caller.interrupt();
		assertThat(interrupted.get(1, TimeUnit.MINUTES)).isTrue();
		assertThat(this.counts.abandonedThreads()).isZero();
		this.released.countDown();
		for (Future<ToolDecision> call : calls) {
			assertThat(call.get().verdict()).isEqualTo(Verdict.APPROVE);
		}
	}

	@Test
	void callerThatIsInterruptedLeavesTheHookBehindAndStaysInterrupted() throws Exception {
		TimeLimit limit = limit(LONG);
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			assertThatIllegalStateException().isThrownBy(() -> decide(limit, () -> {
				begun.countDown();
				return hang();
			}));
			interrupted.complete(Thread.currentThread().isInterrupted());
		});
		caller.start();
		begun.await();
		caller.interrupt();
		assertThat(interrupted.get(1, TimeUnit.MINUTES)).isTrue();
		assertThat(this.counts.abandonedThreads()).isEqualTo(1);
	}

	@Test
	void whatTheHookThrowsIsThrown() {
		IllegalArgumentException failure = new IllegalArgumentException("broken");
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> decide(limit(LONG), () -> {
			throw failure;
		})).isSameAs(failure);
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> decide(limit(LONG), () -> {
			throw new StackOverflowError();
		}));
	}

	@Test
	void hookThatFailsBecauseTheApplicationEndsDeniesEvenIfItFailsOpen() throws Exception {
		EntryMaker<ToolHook> entries = new EntryMaker<>(HookSection.TOOL_CALL, List.of(), this.bounds);
		CountDownLatch begun = new CountDownLatch(1);
		ToolHookChain chain = chain(entries, (call) -> {
			begun.countDown();
			try {
				this.released.await();
				return ToolDecision.approve();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException("stopped");
			}
		}, HookOptions.defaults().timeout(LONG).failOpen(true));
		Future<ToolResult> inFlight = this.threads.submit(() -> chain.execute(CALL, TimeLimitTests::run));
		begun.await();
		this.bounds.destroy();
		assertThat(inFlight.get(1, TimeUnit.MINUTES).content()).contains("shutting down");
		assertThat(chain.execute(CALL, TimeLimitTests::run).content()).contains("shutting down");
	}

	@Test
	void hookThatFailsOpenLetsTheCallPassWhenItsTimeIsOver() {
		EntryMaker<ToolHook> entries = new EntryMaker<>(HookSection.TOOL_CALL, List.of(), this.bounds);
		ToolHookChain chain = chain(entries, (call) -> hang(), HookOptions.defaults().timeout(SHORT).failOpen(true));
		assertThat(chain.execute(CALL, TimeLimitTests::run).content()).isEqualTo("ran");
		assertThat(chain(entries, (call) -> hang(), HookOptions.defaults().timeout(SHORT))
			.execute(CALL, TimeLimitTests::run)
			.succeeded()).isFalse();
		this.bounds.destroy();
	}

	@Test
	void resultOfACallIsWithheldWhenTheTimeOfAResultHookIsOver() {
		EntryMaker<ToolHook> entries = new EntryMaker<>(HookSection.TOOL_CALL, List.of(), this.bounds);
		ToolResultHook slow = (call, result) -> hang();
		ToolHookChain chain = chain(entries, slow, HookOptions.defaults().timeout(SHORT));
		assertThat(chain.execute(CALL, TimeLimitTests::run).content())
			.startsWith("Tool result withheld by hook 'slow'");
		this.bounds.destroy();
	}

	@Test
	void threadInheritsNothingFromTheThreadOfACall() {
		InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
		CompletableFuture<String> seen = new CompletableFuture<>();
		EntryMaker<ToolHook> entries = new EntryMaker<>(HookSection.TOOL_CALL, List.of(), this.bounds);
		ToolHookChain chain = chain(entries, (call) -> {
			seen.complete(String.valueOf(seen(user)));
			return ToolDecision.approve();
		}, HookOptions.defaults().timeout(LONG));
		user.set("alice");
		try {
			chain.execute(CALL, TimeLimitTests::run);
		}
		finally {
			user.remove();
		}
		assertThat(seen).isCompletedWithValue("null");
		this.bounds.destroy();
	}

	private static @Nullable String seen(InheritableThreadLocal<String> local) {
		return local.get();
	}

	private static ToolHookChain chain(EntryMaker<ToolHook> entries, PreToolHook hook, HookOptions options) {
		return chain(entries, (ToolHook) hook, options);
	}

	private static ToolHookChain chain(EntryMaker<ToolHook> entries, ToolHook hook, HookOptions options) {
		AssembledHooks<ToolHook> hooks = new AssembledHooks<>(
				entries.make(HookCandidate.registered(hook, "slow", "x", options)));
		return ToolHookChain.of(hooks.entries(Phase.PRE_CALL, PreToolHook.class),
				hooks.entries(Phase.RESULT, ToolResultHook.class), List.of(), (call, question) -> question, null,
				new AbortedRuns());
	}

	private static ToolResult run(ToolCall call) {
		return ToolResult.success("ran");
	}

	private static ToolDecision decide(TimeLimit limit, Supplier<ToolDecision> hook) {
		return Objects.requireNonNull(limit.ask(hook));
	}

	private TimeLimit limit(Duration timeout) {
		return new TimeLimit("slow", timeout, this.threads, this.counts);
	}

	private ToolDecision hang() {
		boolean waiting = true;
		while (waiting) {
			try {
				waiting = !this.released.await(1, TimeUnit.MINUTES);
			}
			catch (InterruptedException ex) {
				waiting = true;
			}
		}
		return ToolDecision.approve();
	}

}
