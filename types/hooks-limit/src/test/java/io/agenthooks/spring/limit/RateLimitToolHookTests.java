package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.limit.RateLimitConfig.Count;
import io.agenthooks.spring.limit.RateLimitConfig.Then;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RateLimitToolHook}, in chains.
 */
@ExtendWith(OutputCaptureExtension.class)
class RateLimitToolHookTests {

	private static final CallContext SESSION = CallContext.ofSession("s1").withUser("alice");

	private final AtomicLong clock = new AtomicLong();

	private final AtomicInteger ran = new AtomicInteger();

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	private ToolExecutor tool = (call) -> ToolResult.success("done");

	private ToolApprover approver = ToolApprover.nobody();

	private List<ToolResultHook> results = List.of();

	// What is too much

	@Test
	void deniesWhatIsTooMuchAndSaysWhenToTryAgain() {
		ToolHookChain chain = chain(hook("10 per 1m", "user"));
		for (int i = 0; i < 10; i++) {
			assertThat(execute(chain).succeeded()).isTrue();
		}
		assertThat(execute(chain).content()).isEqualTo("Tool call denied by hook 'limit': The limit of 10 per 1m for "
				+ "this user is used up. Try again in 6 seconds.");
		assertThat(this.outcomes.get(10).decision()).isInstanceOfSatisfying(ToolDecision.Deny.class,
				(deny) -> assertThat(deny.budgetExceeded()).isTrue());
		assertThat(execute(chain, SESSION.withUser("bob")).succeeded()).isTrue();
		this.clock.addAndGet(Duration.ofSeconds(6).toNanos());
		assertThat(execute(chain).succeeded()).isTrue();
		assertThat(execute(chain).succeeded()).isFalse();
	}

	@Test
	void threePerSessionNeedNoKey() {
		ToolHookChain chain = chain(hook("3 per session", null));
		assertThat(succeeding(chain, 5)).isEqualTo(3);
		assertThat(this.outcomes.get(4).result()).isNotNull()
			.extracting(ToolResult::content)
			.asString()
			.contains("3 per session for this session is used up. It does not come back, so do not try again.");
		assertThat(execute(chain, SESSION.withSessionId("s2")).succeeded()).isTrue();
		assertThat(execute(chain, SESSION.withSessionId("S1")).succeeded()).isFalse();
	}

	@Test
	void personMayLetPassWhatIsTooMuch() {
		List<String> questions = new ArrayList<>();
		this.approver = (call, question) -> {
			questions.add(question.question());
			return ToolDecision.approve();
		};
		ToolHookChain chain = chain(hook(config("1 per session", null, null, null, Then.ASK)));
		assertThat(succeeding(chain, 3)).isEqualTo(3);
		assertThat(questions).hasSize(2).allMatch((question) -> question.endsWith("May this call pass nevertheless?"));
	}

	@Test
	void turnEndsIfThatIsSaid() {
		ToolHookChain chain = chain(hook(config("1 per session", null, null, null, Then.ABORT)));
		execute(chain);
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> execute(chain))
			.withMessageContaining("1 per session");
	}

	@Test
	void callWithoutAKeyIsDeniedOrSkipped() {
		ToolHookChain denying = chain(hook("1 per 1m", "user"));
		assertThat(execute(denying, CallContext.ofSession("s1")).content())
			.contains("The call has no user, by which its limit is counted");
		ToolHookChain skipping = chain(hook(config("1 per 1m", List.of("user"), OnMissingKey.SKIP, null, null)));
		for (int i = 0; i < 5; i++) {
			assertThat(execute(skipping, CallContext.ofSession("s1")).succeeded()).isTrue();
		}
	}

	@Test
	void argumentsOfTheModelAreNoKey() {
		ToolHookChain chain = chain(hook("2 per session", null));
		int passed = 0;
		for (int i = 0; i < 10; i++) {
			passed += (chain
				.execute(ToolCall.of("refund", Map.of("session", "s" + i, "user", "u" + i), SESSION), this::run)
				.succeeded()) ? 1 : 0;
		}
		assertThat(passed).isEqualTo(2);
	}

	@Test
	void callIsDeniedAndWarnedOfIfThereIsNoRoomForItsLimit(CapturedOutput output) {
		ToolHookChain chain = chain(
				hook(new RateLimitConfig(List.of("1 per session"), null, null, null, null, null, 2, null)));
		for (int i = 0; i < 5; i++) {
			execute(chain, CallContext.ofSession("s" + i));
		}
		assertThat(this.ran).hasValue(2);
		assertThat(execute(chain, CallContext.ofSession("s9")).content()).contains("there is no room");
		assertThat(execute(chain, CallContext.ofSession("s0")).content()).contains("is used up");
		assertThat(output).containsOnlyOnce("2 others are kept").doesNotContain("s9");
	}

	// What counts

	@ParameterizedTest
	@EnumSource(Count.class)
	void failedCallIsGivenBackIfOnlySuccessCounts(Count count) {
		RateLimitToolHook hook = hook(config("2 per session", null, null, count, null));
		ToolHookChain chain = chain(hook);
		this.tool = (call) -> ToolResult.failure("no");
		assertThat(runs(chain, 5)).isEqualTo((count == Count.SUCCEEDED) ? 5 : 2);
		this.tool = (call) -> {
			throw new IllegalStateException("boom");
		};
		if (count == Count.SUCCEEDED) {
			assertThatIllegalStateException().isThrownBy(() -> execute(chain));
		}
		this.tool = (call) -> ToolResult.success("done");
		assertThat(succeeding(chain, 5)).isEqualTo((count == Count.SUCCEEDED) ? 2 : 0);
	}

	@ParameterizedTest
	@EnumSource(Count.class)
	void callThatIsDeniedOrAnsweredLaterIsGivenBackIfOnlySuccessCounts(Count count) {
		List<ToolDecision> decisions = new ArrayList<>(
				List.of(ToolDecision.deny("no"), ToolDecision.respond(ToolResult.success("cached")),
						ToolDecision.abortTurn("no"), ToolDecision.ask("really?")));
		PreToolHook later = (call) -> (decisions.isEmpty()) ? ToolDecision.approve() : decisions.remove(0);
		RateLimitToolHook hook = hook(config("5 per session", null, null, count, null));
		ToolHookChain chain = chain(hook, later);
		execute(chain);
		execute(chain);
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> execute(chain));
		execute(chain);
		assertThat(this.ran).hasValue(0);
		assertThat(succeeding(chain, 9)).isEqualTo((count == Count.SUCCEEDED) ? 5 : 1);
	}

	@Test
	void toolThatDidItCountsWhateverBecomesOfItsResult() {
		List<ToolDecision> decisions = List.of(ToolDecision.deny("secret"), ToolDecision.abortTurn("secret"));
		AtomicInteger seen = new AtomicInteger();
		this.results = List.of((call, result) -> decisions.get(seen.getAndIncrement()));
		ToolHookChain chain = chain(hook(config("2 per session", null, null, Count.SUCCEEDED, null)));
		execute(chain);
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> execute(chain));
		assertThat(this.ran).hasValue(2);
		assertThat(execute(chain).content()).contains("is used up");
	}

	@Test
	void deniedCallTakesNothing() {
		ToolHookChain chain = chain(
				(call) -> (call.arguments().isEmpty()) ? ToolDecision.approve() : ToolDecision.deny("no"),
				hook("1 per session", null));
		for (int i = 0; i < 3; i++) {
			chain.execute(ToolCall.of("refund", Map.of("a", 1), SESSION), this::run);
		}
		assertThat(succeeding(chain, 3)).isEqualTo(1);
	}

	@Test
	void callThatIsModifiedTakesOne() {
		ToolHookChain chain = chain(hook("2 per session", null), (call) -> ToolDecision.modify(Map.of("a", 2)));
		assertThat(succeeding(chain, 4)).isEqualTo(2);
	}

	@Test
	void sameIdForEveryCallIsNoWayAroundALimit() {
		ToolHookChain chain = chain(hook("2 per session", null));
		List<ToolHookChain> inner = new ArrayList<>(List.of(chain, chain, chain));
		ToolCall call = ToolCall.of("same", "refund", Map.of(), SESSION);
		ToolExecutor nested = new ToolExecutor() {

			@Override
			public ToolResult execute(ToolCall outer) {
				RateLimitToolHookTests.this.ran.incrementAndGet();
				return (inner.isEmpty()) ? ToolResult.success("end") : inner.remove(0)
					.execute(ToolCall.of("same", "refund", Map.of("n", inner.size()), SESSION), this);
			}

		};
		chain.execute(call, nested);
		assertThat(this.ran).hasValue(2);
	}

	/**
	 * By an earlier hook, or since the store is away.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callInsideOfAnotherOfTheSameIdThatIsDeniedGivesNothingBack(boolean isStoreAway) {
		AtomicBoolean away = new AtomicBoolean();
		StateStore memory = MemoryState.store(this.clock::get);
		LimitStores stores = () -> new StateStore() {

			@Override
			public <S> KeyedState<S> open(StateTerms<S> terms) {
				return new BreakableState<>(memory.open(terms), away);
			}

		};
		RateLimitToolHook hook = new RateLimitToolHook("limit",
				config("1 per session", null, null, Count.SUCCEEDED, null), TestExpressions.READER, stores);
		PreToolHook earlier = (call) -> (call.arguments().isEmpty() || isStoreAway) ? ToolDecision.approve()
				: ToolDecision.deny("no");
		ToolHookChain chain = new ToolHookChain(List.of(earlier, hook), List.of(hook), ToolApprover.nobody());
		for (int i = 0; i < 3; i++) {
			chain.execute(ToolCall.of("same", "refund", Map.of(), SESSION), (call) -> {
				away.set(isStoreAway);
				assertThat(chain.execute(call.withArguments(Map.of("a", 1)), this::run).succeeded()).isFalse();
				away.set(false);
				return run(call);
			});
		}
		assertThat(this.ran).hasValue(1);
	}

	/**
	 * With a key that reads arguments the hook is asked again about the same call, which
	 * is another thing.
	 */
	@Test
	void sameIdForEveryCallIsNoWayAroundALimitThatIsAPolicy() {
		RateLimitToolHook hook = new RateLimitToolHook("limit",
				new RateLimitConfig(List.of("2 per 1d"), null, "args.account", null, null, null, null, null),
				TestExpressions.READER, () -> MemoryState.store(this.clock::get));
		ToolHookChain chain = chain(hook, (call) -> (call.arguments().containsKey("n")) ? ToolDecision.approve()
				: ToolDecision.modify(Map.of("account", "A", "n", 1)));
		List<ToolHookChain> inner = new ArrayList<>(List.of(chain, chain, chain));
		// The very same call would be known to be decided.
		this.tool = (call) -> (inner.isEmpty()) ? ToolResult.success("end") : inner.remove(0)
			.execute(ToolCall.of("same", "refund", Map.of("account", "A", "m", inner.size()), SESSION), this::run);
		chain.execute(ToolCall.of("same", "refund", Map.of("account", "A"), SESSION), this::run);
		assertThat(this.ran).hasValue(2);
	}

	@Test
	void exactlySoManyOfManyThreadsPass() throws Exception {
		RateLimitToolHook hook = hook(config("7 per session", null, null, Count.SUCCEEDED, null));
		ToolHookChain chain = new ToolHookChain(List.of(hook), List.of(), List.of(hook), ToolApprover.nobody(), null,
				new AbortedRuns());
		AtomicInteger tries = new AtomicInteger();
		// Every other call fails.
		this.tool = (call) -> (tries.getAndIncrement() % 2 == 0) ? ToolResult.failure("no")
				: ToolResult.success("done");
		ExecutorService threads = Executors.newFixedThreadPool(16);
		int succeeded = 0;
		try {
			List<Callable<Boolean>> callers = new ArrayList<>();
			for (int i = 0; i < 300; i++) {
				callers.add(() -> chain.execute(ToolCall.of("refund", Map.of(), SESSION), this::run).succeeded());
			}
			for (Future<Boolean> caller : threads.invokeAll(callers)) {
				succeeded += (caller.get()) ? 1 : 0;
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(succeeded).isEqualTo(7);
	}

	// Explaining

	@Test
	void explainingTakesNothing() {
		ToolHookChain chain = chain(hook("1 per session", null));
		for (int i = 0; i < 3; i++) {
			assertThat(explained(chain)).isEqualTo(Verdict.APPROVE);
		}
		assertThat(succeeding(chain, 3)).isEqualTo(1);
		assertThat(explained(chain)).isEqualTo(Verdict.DENY);
	}

	private Verdict explained(ToolHookChain chain) {
		return chain.explain(ToolCall.of("refund", Map.of(), SESSION), this::run, true).decision().verdict();
	}

	// Keys by expressions

	@Test
	void keyByAnExpressionCountsTheFinalArgumentsOnce() {
		RateLimitToolHook hook = new RateLimitToolHook("limit",
				new RateLimitConfig(List.of("2 per 1d"), null, "args.account", null, null, null, null, null),
				TestExpressions.READER, () -> MemoryState.store(this.clock::get));
		ToolHookChain chain = chain(hook, (call) -> (call.arguments().containsKey("alias"))
				? ToolDecision.modify(Map.of("account", call.arguments().get("alias"))) : ToolDecision.approve());
		assertThat(hook.isRepeatable()).isTrue();
		assertThat(pay(chain, Map.of("account", "A"))).isTrue();
		// Counted for B, of which it is, and not for A, of which it seemed to be.
		assertThat(pay(chain, Map.of("account", "A", "alias", "B"))).isTrue();
		assertThat(pay(chain, Map.of("account", "a"))).isTrue();
		assertThat(pay(chain, Map.of("account", "A"))).isFalse();
		assertThat(pay(chain, Map.of("account", "C", "alias", "B"))).isTrue();
		assertThat(pay(chain, Map.of("account", "C", "alias", "B"))).isFalse();
		assertThat(pay(chain, Map.of("account", "C"))).isTrue();
		assertThat(pay(chain, Map.of("account", "C"))).isTrue();
		assertThat(pay(chain, Map.of("account", "C"))).isFalse();
	}

	@Test
	void expressionWithoutAValueDeniesEvenIfMissingIsSkipped() {
		ToolHookChain chain = chain(new RateLimitToolHook("limit", new RateLimitConfig(List.of("2 per 1d"), null,
				"args.account", OnMissingKey.SKIP, null, null, null, null), TestExpressions.READER,
				() -> MemoryState.store(this.clock::get)));
		assertThat(pay(chain, Map.of())).isFalse();
		assertThat(this.outcomes.get(0).decision().reason()).contains("cannot be evaluated");
		for (String blank : List.of("", " ", "\u200b")) {
			assertThat(pay(chain, Map.of("account", blank))).isFalse();
		}
		assertThat(pay(chain, Map.of("account", "A"))).isTrue();
	}

	@ParameterizedTest
	@EnumSource(Count.class)
	void callThatWasCountedIsNotDeniedByItselfWhenItIsAskedAboutAgain(Count count) {
		ToolHookChain chain = chain(hook(config("1 per 1d", List.of("session"), null, count, null)));
		assertThat(chain.execute(ToolCall.of("pay", Map.of(), SESSION), (call) -> {
			assertThat(explained(chain, call.withArguments(Map.of("edited", true)))).isEqualTo(Verdict.APPROVE);
			assertThat(explained(chain, ToolCall.of("pay", Map.of(), SESSION))).isEqualTo(Verdict.DENY);
			return run(call);
		}).succeeded()).isTrue();
	}

	private Verdict explained(ToolHookChain chain, ToolCall call) {
		return chain.explain(call, this::run, true).decision().verdict();
	}

	@ParameterizedTest
	@EnumSource(Count.class)
	void callThatWaitsForPeopleAndIsResumedIsCountedOnce(Count count) {
		RateLimitToolHook hook = hook(config("2 per 1d", List.of("session"), null, count, null));
		AtomicBoolean approved = new AtomicBoolean();
		this.approver = (call, question) -> (approved.get()) ? ToolDecision.approve() : question.pendingAs("q");
		ToolHookChain chain = chain(hook, (call) -> ToolDecision.ask("really?"));
		ToolCall call = ToolCall.of("pay", Map.of(), SESSION);
		assertThatExceptionOfType(TurnSuspendedException.class).isThrownBy(() -> chain.execute(call, this::run));
		approved.set(true);
		ToolCall edited = ToolCall.of(call.id(), "pay", Map.of("edited", true), CallContext.ofSession("s1"));
		assertThat(hook.rehearse(edited).verdict()).isEqualTo(Verdict.APPROVE);
		assertThat(chain.execute(edited, this::run).succeeded()).isTrue();
		assertThat(succeeding(chain, 3)).isEqualTo(1);
	}

	@Test
	void resumedCallPassesThoughItsOwnPlaceWasTheLast() {
		RateLimitToolHook hook = hook(config("1 per 1d", List.of("session"), null, Count.DECIDED, null));
		AtomicBoolean approved = new AtomicBoolean();
		this.approver = (call, question) -> (approved.get()) ? ToolDecision.approve() : question.pendingAs("q");
		ToolHookChain chain = chain(hook, (call) -> ToolDecision.ask("really?"));
		ToolCall call = ToolCall.of("pay", Map.of(), SESSION);
		assertThatExceptionOfType(TurnSuspendedException.class).isThrownBy(() -> chain.execute(call, this::run));
		approved.set(true);
		assertThat(chain.execute(ToolCall.of(call.id(), "refund", Map.of(), SESSION), this::run).succeeded()).isFalse();
		assertThat(chain.execute(call, this::run).succeeded()).isTrue();
		assertThat(chain.execute(call, this::run).succeeded()).isFalse();
	}

	private boolean pay(ToolHookChain chain, Map<String, ? extends @Nullable Object> arguments) {
		return chain.execute(ToolCall.of("pay", arguments, SESSION), this::run).succeeded();
	}

	// Helpers

	private RateLimitToolHook hook(String limit, @Nullable String key) {
		return hook(config(limit, (key != null) ? List.of(key) : null, null, null, null));
	}

	private RateLimitToolHook hook(RateLimitConfig config) {
		return new RateLimitToolHook("limit", config, TestExpressions.READER, () -> MemoryState.store(this.clock::get));
	}

	private static RateLimitConfig config(String limit, @Nullable List<String> key, @Nullable OnMissingKey missing,
			@Nullable Count count, @Nullable Then then) {
		return new RateLimitConfig(List.of(limit), key, null, missing, count, then, null, null);
	}

	private ToolHookChain chain(PreToolHook... hooks) {
		List<PostToolHook> learning = new ArrayList<>();
		for (PreToolHook hook : hooks) {
			if (hook instanceof PostToolHook post) {
				learning.add(post);
			}
		}
		learning.add(this.outcomes::add);
		return new ToolHookChain(List.of(hooks), this.results, learning, this.approver, null, new AbortedRuns());
	}

	private ToolResult run(ToolCall call) {
		this.ran.incrementAndGet();
		return this.tool.execute(call);
	}

	private ToolResult execute(ToolHookChain chain) {
		return execute(chain, SESSION);
	}

	private ToolResult execute(ToolHookChain chain, CallContext context) {
		return chain.execute(ToolCall.of("refund", Map.of(), context), this::run);
	}

	private int succeeding(ToolHookChain chain, int tries) {
		int succeeded = 0;
		for (int i = 0; i < tries; i++) {
			succeeded += (execute(chain).succeeded()) ? 1 : 0;
		}
		return succeeded;
	}

	private int runs(ToolHookChain chain, int tries) {
		int before = this.ran.get();
		for (int i = 0; i < tries; i++) {
			execute(chain);
		}
		return this.ran.get() - before;
	}

}
