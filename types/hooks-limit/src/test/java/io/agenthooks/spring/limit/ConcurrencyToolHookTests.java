package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Verdict;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link ConcurrencyToolHook}, in chains.
 */
@Timeout(60)
class ConcurrencyToolHookTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final CountDownLatch end = new CountDownLatch(1);

	private final AtomicInteger running = new AtomicInteger();

	@AfterEach
	void stop() {
		this.end.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void onlySoManyCallsOfAToolRunAtTheSameTime() throws Exception {
		ToolHookChain chain = chain(hook(2, null, null));
		Future<ToolResult> first = start(chain, "report");
		Future<ToolResult> second = start(chain, "report");
		await(() -> this.running.get() == 2);
		assertThat(chain.execute(call("report"), this::hold).content())
			.contains("At most 2 calls for this tool may run at the same time, and as many are running");
		Future<ToolResult> other = start(chain, "other");
		await(() -> this.running.get() == 3);
		this.end.countDown();
		assertThat(List.of(first.get(), second.get(), other.get())).allMatch(ToolResult::succeeded);
		assertThat(chain.execute(call("report"), this::hold).succeeded()).isTrue();
	}

	@Test
	void callThatHasAPlaceIsNotDeniedByItselfWhenItIsAskedAboutAgain() {
		ToolHookChain chain = chain(hook(1, null, null));
		assertThat(chain.execute(call("report"), (running) -> {
			assertThat(explained(chain, running)).isEqualTo(Verdict.APPROVE);
			assertThat(explained(chain, call("report"))).isEqualTo(Verdict.DENY);
			return ToolResult.success("");
		}).succeeded()).isTrue();
	}

	@Test
	void deniedCallOfTheSameIdOnAnotherThreadFreesNoPlace() throws Exception {
		ConcurrencyToolHook hook = hook(1, null, null);
		ToolHookChain chain = chain(hook);
		Future<ToolResult> first = this.threads.submit(() -> chain.execute(same("report"), this::hold));
		await(() -> this.running.get() == 1);
		assertThat(chain.execute(same("report"), this::hold).succeeded()).isFalse();
		assertThat(chain.execute(call("report"), this::hold).succeeded()).isFalse();
		this.end.countDown();
		assertThat(first.get().succeeded()).isTrue();
		assertThat(slots(hook).size()).isZero();
	}

	@Test
	void deniedCallOfTheSameIdInsideOfAnotherFreesNoPlace() {
		ConcurrencyToolHook hook = hook(1, null, null);
		ToolHookChain chain = chain(hook);
		ToolCall same = same("report");
		AtomicInteger denied = new AtomicInteger();
		ToolResult outer = chain.execute(same, (call) -> {
			for (ToolCall inner : List.of(same.withArguments(Map.of("a", 1)),
					same("report").withArguments(Map.of("a", 2)), call("report"))) {
				denied.addAndGet((chain.execute(inner, (any) -> ToolResult.success("ran")).succeeded()) ? 0 : 1);
			}
			return ToolResult.success("done");
		});
		assertThat(outer.succeeded()).isTrue();
		assertThat(denied).hasValue(3);
		assertThat(slots(hook).size()).isZero();
	}

	@Test
	void callOfTheSameIdInsideOfAnotherHasNoPlaceByItAlsoIfTheKeyIsAnArgument() {
		ConcurrencyToolHook hook = new ConcurrencyToolHook("limit",
				new ConcurrencyConfig(1, null, "args.account", null, null), TestExpressions.READER,
				LimitStores.IN_MEMORY);
		ToolHookChain chain = chain(hook);
		ToolCall outer = same("report").withArguments(Map.of("account", "A"));
		assertThat(chain.execute(outer, (call) -> {
			ToolCall inner = call.withArguments(Map.of("account", "A", "n", 1));
			assertThat(chain.execute(inner, (any) -> ToolResult.success("ran")).succeeded()).isFalse();
			assertThat(slots(hook).size()).isOne();
			return ToolResult.success("done");
		}).succeeded()).isTrue();
		assertThat(slots(hook).size()).isZero();
	}

	@Test
	void callOfTheSameIdThatAnEarlierHookDeniesFreesNoPlace() throws Exception {
		ConcurrencyToolHook hook = hook(1, null, null);
		PreToolHook earlier = (call) -> (call.arguments().isEmpty()) ? ToolDecision.approve() : ToolDecision.deny("no");
		ToolHookChain chain = new ToolHookChain(List.of(earlier, hook), List.of(hook), ToolApprover.nobody());
		Future<ToolResult> first = this.threads.submit(() -> chain.execute(same("report"), this::hold));
		await(() -> this.running.get() == 1);
		assertThat(chain.execute(same("report").withArguments(Map.of("a", 1)), this::hold).succeeded()).isFalse();
		assertThat(chain.execute(call("report"), this::hold).succeeded()).isFalse();
		this.end.countDown();
		assertThat(first.get().succeeded()).isTrue();
		assertThat(slots(hook).size()).isZero();
	}

	private static ToolCall same(String tool) {
		return ToolCall.of("same", tool, Map.of(), CallContext.ofSession("s1"));
	}

	@Test
	void callWaitsUntilAnotherOneHasEnded() throws Exception {
		ConcurrencyToolHook hook = hook(1, null, LONG);
		ToolHookChain chain = chain(hook);
		Future<ToolResult> first = start(chain, "report");
		await(() -> this.running.get() == 1);
		Future<ToolResult> second = start(chain, "report");
		await(() -> slots(hook).waiting() == 1);
		assertThat(this.running).hasValue(1);
		this.end.countDown();
		assertThat(first.get().succeeded()).isTrue();
		assertThat(second.get().succeeded()).isTrue();
		assertThat(slots(hook).size()).isZero();
	}

	@Test
	void callIsDeniedIfNoneEndsInTime() throws Exception {
		ConcurrencyToolHook hook = hook(1, null, Duration.ofMillis(20));
		ToolHookChain chain = chain(hook);
		Future<ToolResult> first = start(chain, "report");
		await(() -> this.running.get() == 1);
		assertThat(chain.execute(call("report"), this::hold).content())
			.contains("none of them has ended within 1 second");
		this.end.countDown();
		assertThat(first.get().succeeded()).isTrue();
		assertThat(slots(hook).size()).isZero();
	}

	@Test
	void interruptEndsTheWaitAndStays() throws Exception {
		ConcurrencyToolHook hook = hook(1, null, LONG);
		ToolHookChain chain = chain(hook);
		Future<ToolResult> first = start(chain, "report");
		await(() -> this.running.get() == 1);
		Thread.currentThread().interrupt();
		ToolResult result = chain.execute(call("report"), this::hold);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(result.content()).contains("interrupted");
		this.end.countDown();
		assertThat(first.get().succeeded()).isTrue();
		assertThat(slots(hook).size()).isZero();
	}

	@Test
	void placeIsLeftOnceWhateverTheEnd() {
		List<ToolDecision> decisions = new ArrayList<>(List.of(ToolDecision.deny("no"),
				ToolDecision.respond(ToolResult.success("cached")), ToolDecision.abortTurn("no"),
				ToolDecision.ask("really?"), ToolDecision.modify(Map.of("a", 1))));
		PreToolHook later = (call) -> (decisions.isEmpty()) ? ToolDecision.approve() : decisions.remove(0);
		ConcurrencyToolHook hook = hook(1, null, null);
		ToolHookChain chain = chain(hook, later);
		ToolExecutor tool = (call) -> {
			assertThat(slots(hook).hasRoom(keyOf(call))).isFalse();
			return ToolResult.success("done");
		};
		for (int i = 0; i < 2; i++) {
			chain.execute(call("report"), tool);
		}
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> chain.execute(call("report"), tool));
		chain.execute(call("report"), tool);
		assertThat(decisions).hasSize(1);
		assertThat(chain.execute(call("report"), tool).succeeded()).isTrue();
		assertThatIllegalStateException().isThrownBy(() -> chain.execute(call("report"), (call) -> {
			throw new IllegalStateException("boom");
		}));
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> chain.execute(call("report"), (call) -> {
			throw new StackOverflowError();
		}));
		assertThat(chain.execute(call("report"), tool).succeeded()).isTrue();
		assertThat(slots(hook).size()).isZero();
	}

	@Test
	void neverMoreRunAndAllGetTheirTurn() throws Exception {
		ConcurrencyToolHook hook = hook(3, null, LONG);
		ToolHookChain chain = chain(hook);
		AtomicInteger most = new AtomicInteger();
		ToolExecutor tool = (call) -> {
			most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			Thread.onSpinWait();
			this.running.decrementAndGet();
			return ToolResult.success("done");
		};
		List<Callable<Boolean>> callers = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			callers.add(() -> chain.execute(call("report"), tool).succeeded());
		}
		for (Future<Boolean> caller : this.threads.invokeAll(callers)) {
			assertThat(caller.get()).isTrue();
		}
		assertThat(most.get()).isBetween(1, 3);
		assertThat(slots(hook).size()).isZero();
	}

	@Test
	void explainingTakesNoPlaceAndDoesNotWait() throws Exception {
		ConcurrencyToolHook hook = hook(1, null, LONG);
		ToolHookChain chain = chain(hook);
		assertThat(explained(chain)).isEqualTo(Verdict.APPROVE);
		assertThat(slots(hook).size()).isZero();
		Future<ToolResult> first = start(chain, "report");
		await(() -> this.running.get() == 1);
		assertThat(explained(chain)).isEqualTo(Verdict.DENY);
		this.end.countDown();
		assertThat(first.get().succeeded()).isTrue();
	}

	@Test
	void callWithoutAKeyIsDeniedOrSkipped() {
		ToolHookChain denying = chain(hook(1, List.of("user"), null));
		assertThat(denying.execute(call("report"), this::hold).content()).contains("The call has no user");
		this.end.countDown();
		ToolHookChain skipping = chain(new ConcurrencyToolHook("limit",
				new ConcurrencyConfig(1, List.of("user"), null, OnMissingKey.SKIP, null), TestExpressions.READER,
				LimitStores.IN_MEMORY));
		assertThat(skipping.execute(call("report"), this::hold).succeeded()).isTrue();
	}

	@Test
	void changedArgumentsMoveTheCallToItsFinalKey() {
		ConcurrencyToolHook hook = new ConcurrencyToolHook("limit",
				new ConcurrencyConfig(1, null, "args.account", null, null), TestExpressions.READER,
				LimitStores.IN_MEMORY);
		ToolHookChain chain = chain(hook, (call) -> ToolDecision.modify(Map.of("account", "B")));
		ToolResult result = chain.execute(ToolCall.of("pay", Map.of("account", "A")), (outer) -> {
			assertThat(slots(hook).size()).isEqualTo(1);
			// Another call of the same final key, from inside.
			return chain.execute(ToolCall.of("pay", Map.of("account", "C")), this::hold);
		});
		assertThat(result.content()).contains("At most 1 calls for this key_expression");
		assertThat(slots(hook).size()).isZero();
	}

	@Test
	void mistakesAreTold() {
		assertThat(problems(new ConcurrencyConfig(null, List.of("me"), null, null, Duration.ofMinutes(6))))
			.extracting((problem) -> String.join(".", problem.path()))
			.containsExactly("max_concurrent", "key", "timeout");
		assertThat(problems(new ConcurrencyConfig(0, null, null, null, Duration.ofSeconds(-1)))).hasSize(2);
		assertThat(problems(new ConcurrencyConfig(100_001, null, "nothing", null, null))).hasSize(2);
	}

	private static List<Problem> problems(ConcurrencyConfig config) {
		return catchThrowableOfType(InvalidHookConfigException.class,
				() -> ConcurrencySettings.of(config, TestExpressions.READER))
			.getProblems();
	}

	private static ConcurrencyToolHook hook(int max, @Nullable List<String> key, @Nullable Duration timeout) {
		return new ConcurrencyToolHook("limit", new ConcurrencyConfig(max, key, null, null, timeout),
				TestExpressions.READER, LimitStores.IN_MEMORY);
	}

	private static ToolHookChain chain(PreToolHook... hooks) {
		List<PostToolHook> learning = List.of((PostToolHook) hooks[0]);
		return new ToolHookChain(List.of(hooks), learning, ToolApprover.nobody());
	}

	private static MemorySlots slots(ConcurrencyToolHook hook) {
		return (MemorySlots) hook.slots();
	}

	private static String keyOf(ToolCall call) {
		KeyPart tool = KeyPart.of("tool");
		assertThat(tool).isNotNull();
		return String.valueOf(new LimitKey(List.of(tool), null).of(call).key());
	}

	private static Verdict explained(ToolHookChain chain) {
		return explained(chain, call("report"));
	}

	private static Verdict explained(ToolHookChain chain, ToolCall call) {
		return chain.explain(call, (asked) -> ToolResult.success(""), true).decision().verdict();
	}

	private static ToolCall call(String tool) {
		return ToolCall.of(tool, Map.of(), CallContext.ofSession("s1"));
	}

	private Future<ToolResult> start(ToolHookChain chain, String tool) {
		return this.threads.submit(() -> chain.execute(call(tool), this::hold));
	}

	private ToolResult hold(ToolCall call) {
		this.running.incrementAndGet();
		try {
			assertThat(this.end.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		this.running.decrementAndGet();
		return ToolResult.success("done");
	}

	private static void await(BooleanSupplier condition) {
		while (!condition.getAsBoolean()) {
			Thread.onSpinWait();
		}
	}

}
