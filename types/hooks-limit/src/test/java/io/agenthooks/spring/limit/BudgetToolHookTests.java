package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.limit.RateLimitConfig.Count;
import io.agenthooks.spring.limit.RateLimitConfig.Then;
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
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BudgetToolHook}, in chains.
 */
class BudgetToolHookTests {

	private static final CallContext ANN = CallContext.ofSession("s1").withUser("ann");

	private final List<BudgetEvent> events = new ArrayList<>();

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	Instant now = Instant.parse("2026-03-10T12:00:00Z");

	private ToolExecutor tool = (call) -> ToolResult.success("done");

	private ToolApprover approver = ToolApprover.nobody();

	/**
	 * Where budgets are kept.
	 */
	LimitStores stores() {
		return LimitStores.IN_MEMORY;
	}

	// What is too much

	@Test
	void amountsOfADayAreAddedUpAndTheNextDayBeginsAnew() {
		ToolHookChain chain = chain(hook(2000, "args.amount", "day"));
		assertThat(refund(chain, 1500).succeeded()).isTrue();
		assertThat(refund(chain, 600).content()).isEqualTo("Tool call denied by hook 'refunds': The budget of 2000 of "
				+ "the argument 'amount' per day for this user has too little left for this call: 500. It is new in "
				+ "12 hours.");
		assertThat(this.outcomes.get(1).decision()).isInstanceOfSatisfying(ToolDecision.Deny.class,
				(deny) -> assertThat(deny.budgetExceeded()).isTrue());
		assertThat(refund(chain, 500).succeeded()).isTrue();
		assertThat(refund(chain, new BigDecimal("0.01")).content()).contains("is used up");
		assertThat(refund(chain, 2000, ANN.withUser("bob")).succeeded()).isTrue();
		this.now = Instant.parse("2026-03-10T23:59:59Z");
		assertThat(refund(chain, 1).content()).contains("It is new in 1 second.");
		this.now = Instant.parse("2026-03-11T00:00:00Z");
		assertThat(refund(chain, 2000).succeeded()).isTrue();
		assertThat(refund(chain, 1).succeeded()).isFalse();
	}

	@Test
	void callInsideOfAnotherOfTheSameIdThatAnEarlierHookDeniesGivesNoAmountBack() {
		BudgetToolHook hook = new BudgetToolHook("refunds",
				new BudgetConfig(new BigDecimal(100), "args.amount", "day", null, List.of("user"), null, null,
						Count.SUCCEEDED, null, null, null, null),
				TestExpressions.READER, stores(), () -> this.now, this.events::add);
		PreToolHook earlier = (call) -> (call.arguments().containsKey("no")) ? ToolDecision.deny("no")
				: ToolDecision.approve();
		ToolHookChain chain = new ToolHookChain(List.of(earlier, hook), List.of(hook), ToolApprover.nobody());
		AtomicInteger ran = new AtomicInteger();
		for (int i = 0; i < 3; i++) {
			chain.execute(ToolCall.of("same", "refund", Map.of("amount", 100), ANN), (call) -> {
				ToolCall inner = call.withArguments(Map.of("amount", 1, "no", 1));
				assertThat(chain.execute(inner, this.tool).succeeded()).isFalse();
				ran.incrementAndGet();
				return ToolResult.success("done");
			});
		}
		assertThat(ran).hasValue(1);
	}

	@Test
	void centsAreAddedExactly() {
		ToolHookChain chain = chain(hook(new BigDecimal("0.3"), "args.amount", "day"));
		for (int i = 0; i < 3; i++) {
			assertThat(refund(chain, 0.1).succeeded()).isTrue();
		}
		assertThat(refund(chain, 1e-30).succeeded()).isFalse();
	}

	@Test
	void callsAreCountedWithoutASum() {
		ToolHookChain chain = chain(hook(new BigDecimal(2), null, "session"));
		assertThat(refund(chain, 1).succeeded()).isTrue();
		assertThat(refund(chain, "whatever").succeeded()).isTrue();
		assertThat(refund(chain, 1).content()).contains(
				"The budget of 2 calls per session for this session is used up. It does not come back, so do not try");
		assertThat(refund(chain, 1, ANN.withSessionId("S1 ")).succeeded()).isFalse();
		assertThat(refund(chain, 1, ANN.withSessionId("s2")).succeeded()).isTrue();
	}

	@Test
	void spellingsOfAUserHaveOneBudget() {
		ToolHookChain chain = chain(hook(10, "args.amount", "day"));
		assertThat(refund(chain, 10).succeeded()).isTrue();
		for (String spelling : List.of("ANN", " ann", "a\u200bnn", "\uff41nn", "Ann\u00ad")) {
			assertThat(refund(chain, 1, ANN.withUser(spelling)).succeeded()).isFalse();
		}
		assertThat(refund(chain, 0, CallContext.ofSession("s1")).content()).contains("The call has no user");
	}

	@Test
	void personMayLetPassWhatIsTooMuch() {
		List<String> questions = new ArrayList<>();
		this.approver = (call, question) -> {
			questions.add(question.question());
			return ToolDecision.approve();
		};
		ToolHookChain chain = chain(hook(config(10, null, Then.ASK, null)));
		assertThat(Stream.of(8, 3, 2, 1).map((amount) -> refund(chain, amount).succeeded())).containsOnly(true);
		assertThat(questions).hasSize(2).allMatch((question) -> question.endsWith("May this call pass nevertheless?"));
	}

	@Test
	void turnEndsIfThatIsSaid() {
		ToolHookChain chain = chain(hook(config(10, null, Then.ABORT, null)));
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> refund(chain, 11))
			.withMessageContaining("has too little left");
	}

	// What is no amount

	static Stream<Object> noAmounts() {
		return Stream.of(-1, -0.001, Long.MIN_VALUE, "5", "1e3", "", true, List.of(5), Map.of("value", 5),
				new BigDecimal("1e1000000"), new BigDecimal("1e-1000000"), new BigDecimal("0e1000000"),
				new BigDecimal("-1e1000000"), new BigDecimal("1e-39"), BigInteger.TEN.pow(100_000),
				new BigDecimal(BigInteger.ONE.shiftLeft(400_000), 120_000));
	}

	@ParameterizedTest
	@MethodSource("noAmounts")
	void whatIsNoAmountIsDeniedAndUsesUpNothing(Object amount) {
		BudgetToolHook hook = hook(config(10, null, null, null));
		ToolHookChain chain = chain(hook);
		long start = System.nanoTime();
		assertThat(refund(chain, amount).content()).contains("The argument 'amount'", "is not a number from zero on");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
		assertThat(refund(chain, 10).succeeded()).isTrue();
	}

	@Test
	void missingAmountIsDeniedEvenIfAMissingKeyIsSkipped() {
		BudgetToolHook hook = hook(new BudgetConfig(BigDecimal.TEN, "args.order.total", "day", null, List.of("user"),
				null, OnMissingKey.SKIP, null, null, null, null, null));
		ToolHookChain chain = chain(hook);
		assertThat(refund(chain, Map.of(), ANN).succeeded()).isFalse();
		assertThat(refund(chain, Map.of("order", 5), ANN).succeeded()).isFalse();
		assertThat(refund(chain, Map.of("order.total", 5), ANN).succeeded()).isFalse();
		assertThat(refund(chain, Map.of("order", Map.of("total", 11)), ANN).succeeded()).isFalse();
		assertThat(refund(chain, Map.of("order", Map.of("total", 10)), ANN).succeeded()).isTrue();
		assertThat(refund(chain, Map.of(), CallContext.ofSession("s1")).succeeded()).isTrue();
	}

	// What counts

	@ParameterizedTest
	@EnumSource(Count.class)
	void failedCallGivesItsAmountBackOnceIfOnlySuccessCounts(Count count) {
		BudgetToolHook hook = hook(config(10, count, null, null));
		ToolHookChain chain = chain(hook);
		this.tool = (call) -> ToolResult.failure("no");
		refund(chain, 6);
		this.tool = (call) -> {
			throw new IllegalStateException("boom");
		};
		assertThatIllegalStateException().isThrownBy(() -> refund(chain, 4));
		this.tool = (call) -> ToolResult.success("done");
		assertThat(refund(chain, 10).succeeded()).isEqualTo(count == Count.SUCCEEDED);
		assertThat(refund(chain, 1).succeeded()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(Count.class)
	void callThatIsDeniedOrAnsweredLaterCountsOnlyIfDecisionsCount(Count count) {
		BudgetToolHook hook = hook(config(10, count, null, null));
		List<ToolDecision> later = new ArrayList<>(List.of(ToolDecision.deny("no"),
				ToolDecision.respond(ToolResult.success("cached")), ToolDecision.approve(), ToolDecision.approve()));
		ToolHookChain chain = chain(hook, (call) -> later.remove(0));
		refund(chain, 4);
		refund(chain, 4);
		assertThat(refund(chain, 4).succeeded()).isEqualTo(count == Count.SUCCEEDED);
	}

	@Test
	void callThatWasAnsweredBeforeIsAskedAboutAndDeniedIfItIsTooMuch() {
		BudgetToolHook hook = hook(config(10, Count.SUCCEEDED, null, null));
		ToolHookChain chain = chain((call) -> ToolDecision.respond(ToolResult.success("cached")), hook);
		for (int i = 0; i < 5; i++) {
			assertThat(refund(chain, 10).content()).isEqualTo("cached");
		}
		assertThat(refund(chain, 11).succeeded()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(Count.class)
	void changedCallCountsItsFinalAmountOnce(Count count) {
		BudgetToolHook hook = hook(config(10, count, null, null));
		ToolHookChain chain = chain(hook, (call) -> (call.arguments().get("final") != null)
				? ToolDecision.modify(Map.of("amount", call.arguments().get("final"))) : ToolDecision.approve());
		assertThat(refund(chain, Map.of("amount", 1, "final", 11), ANN).content()).contains("too little left");
		assertThat(refund(chain, Map.of("amount", 1, "final", -5), ANN).content()).contains("not a number");
		assertThat(refund(chain, Map.of("amount", 9, "final", 4), ANN).succeeded()).isTrue();
		assertThat(refund(chain, Map.of("amount", 6, "final", 6.0), ANN).succeeded()).isTrue();
		assertThat(refund(chain, 1).succeeded()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(Count.class)
	void callThatWaitsForPeopleHoldsNothingAndCountsWhenItIsDecidedAgain(Count count) {
		BudgetToolHook hook = hook(config(10, count, null, null));
		ToolHookChain chain = chain(hook);
		this.approver = (call, question) -> question.pendingAs("q1");
		ToolHookChain suspending = chain(hook, (call) -> ToolDecision.ask("Refund?"));
		assertThatExceptionOfType(TurnSuspendedException.class).isThrownBy(() -> refund(suspending, 8));
		assertThat(this.outcomes.get(0).status().value()).isEqualTo("pending");
		this.now = this.now.plus(Duration.ofHours(1));
		assertThat(refund(chain, 8).succeeded()).isTrue();
		assertThat(refund(chain, 8).succeeded()).isFalse();
	}

	@Test
	void callThatRunsHoldsItsAmount() {
		BudgetToolHook hook = hook(config(10, Count.SUCCEEDED, null, null));
		ToolHookChain chain = chain(hook);
		List<String> inner = new ArrayList<>();
		this.tool = (call) -> {
			if (inner.isEmpty()) {
				inner.add("");
				inner.add(refund(chain, 5).content());
			}
			return ToolResult.failure("no");
		};
		refund(chain, 6);
		assertThat(inner.get(1)).contains("Calls that still run hold the rest");
		this.tool = (call) -> ToolResult.success("done");
		assertThat(refund(chain, 10).succeeded()).isTrue();
	}

	@Test
	void manyThreadsNeverGetMoreThanThereIs() throws Exception {
		BudgetToolHook hook = hook(config(1000, Count.SUCCEEDED, null, null));
		ToolHookChain chain = new ToolHookChain(List.of(hook), List.of(), List.of(hook), ToolApprover.nobody(), null,
				new AbortedRuns());
		AtomicInteger paid = new AtomicInteger();
		ToolExecutor paying = (call) -> {
			int amount = (Integer) Objects.requireNonNull(call.arguments().get("amount"));
			if (amount % 3 == 0) {
				return ToolResult.failure("no");
			}
			paid.addAndGet(amount);
			return ToolResult.success("done");
		};
		ExecutorService threads = Executors.newFixedThreadPool(16);
		try {
			List<Callable<ToolResult>> callers = new ArrayList<>();
			for (int i = 0; i < 2000; i++) {
				Map<String, Object> arguments = Map.of("amount", 1 + i % 50);
				callers.add(() -> chain.execute(ToolCall.of("refund", arguments, ANN), paying));
			}
			for (Future<ToolResult> caller : threads.invokeAll(callers)) {
				caller.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(paid).hasValueBetween(950, 1000);
		assertThat(refund(chain, 1000 - paid.get()).succeeded()).isTrue();
		assertThat(refund(chain, 1).succeeded()).isFalse();
	}

	// Telling

	@Test
	void modelIsWarnedFromTheShareOnAndTheApplicationOnce() {
		ToolHookChain chain = chain(hook(config(10, null, null, new BigDecimal("0.8"))));
		assertThat(refund(chain, 7.9).additionalContext()).isNull();
		assertThat(refund(chain, 0.1).additionalContext())
			.contains("Of the budget of 10 of the argument 'amount' per day for this user, 2 is left.");
		assertThat(refund(chain, 1).additionalContext()).contains("1 is left");
		assertThat(this.events).singleElement().isInstanceOf(BudgetEvent.Warned.class);
		refund(chain, 2);
		refund(chain, 3);
		assertThat(this.events).hasSize(3);
		assertThat(this.events.get(2)).isEqualTo(new BudgetEvent.Exceeded("refunds",
				"10 of the argument 'amount' per day for this user", new BudgetEvent.Caller("ann", null, "s1", null)));
	}

	@Test
	void listenerThatFailsChangesNothing() {
		BudgetToolHook hook = new BudgetToolHook("refunds", config(10, null, null, BigDecimal.ONE),
				TestExpressions.READER, stores(), () -> this.now, (event) -> {
					throw new IllegalStateException("secret");
				});
		ToolHookChain chain = chain(hook);
		assertThat(refund(chain, 10).additionalContext()).contains("0 is left");
		assertThat(refund(chain, 1).content()).contains("is used up");
	}

	@Test
	void explainingTakesNothingAndTellsNobody() {
		ToolHookChain chain = chain(hook(config(10, null, null, BigDecimal.ONE)));
		for (int i = 0; i < 3; i++) {
			assertThat(explained(chain, 10)).isEqualTo(Verdict.APPROVE);
			assertThat(explained(chain, 11)).isEqualTo(Verdict.DENY);
			assertThat(explained(chain, -1)).isEqualTo(Verdict.DENY);
		}
		assertThat(this.events).isEmpty();
		assertThat(refund(chain, 10).succeeded()).isTrue();
		assertThat(explained(chain, 1)).isEqualTo(Verdict.DENY);
		this.now = this.now.plus(Duration.ofDays(1));
		assertThat(explained(chain, 10)).isEqualTo(Verdict.APPROVE);
	}

	/**
	 * A tool that makes a call of another tool, in its own name.
	 */
	@Test
	void callInsideOfAnotherOneWithItsIdIsCounted() {
		ToolHookChain chain = chain(hook(10, "args.amount", "day"));
		ToolCall outer = ToolCall.of("refund", Map.of("amount", 6), ANN);
		ToolCall inner = new ToolCall(outer.id(), "repay", Map.of("amount", 6), outer.context(),
				ToolCall.of("repay", Map.of(), ANN).identity());
		this.tool = (call) -> (call.tool().equals("refund"))
				? chain.execute(inner, (made) -> ToolResult.success("inner")) : ToolResult.success("done");
		assertThat(chain.execute(outer, (call) -> this.tool.execute(call)).content())
			.contains("Calls that still run hold the rest");
		this.tool = (call) -> ToolResult.success("done");
		assertThat(refund(chain, 5).succeeded()).isFalse();
		assertThat(refund(chain, 4).succeeded()).isTrue();
	}

	@Test
	void callThatPassedIsNotDeniedByItselfWhenItIsAskedAboutAgain() {
		ToolHookChain chain = chain(hook(config(10, null, null, null)));
		assertThat(chain.execute(ToolCall.of("refund", Map.of("amount", 10), ANN), (call) -> {
			assertThat(chain.explain(call, this.tool, true).decision().verdict()).isEqualTo(Verdict.APPROVE);
			assertThat(explained(chain, 1)).isEqualTo(Verdict.DENY);
			return this.tool.execute(call);
		}).succeeded()).isTrue();
	}

	private static Verdict explained(ToolHookChain chain, Object amount) {
		return chain
			.explain(ToolCall.of("refund", Map.of("amount", amount), ANN), (call) -> ToolResult.success(""), true)
			.decision()
			.verdict();
	}

	// Helpers

	/**
	 * A program may give the same id to a call that it makes inside of another one. Only
	 * of the call that is asked about again the amount is known.
	 */
	@Test
	void callInsideOfOneWithItsIdUsesUpItsOwnAmount() {
		BudgetToolHook hook = hook(100, "args.amount", "day");
		ToolHookChain chain = chain(hook, (call) -> (call.arguments().containsKey("note")) ? ToolDecision.approve()
				: ToolDecision.modify(Map.of("amount", 40, "note", "changed")));
		List<Boolean> inner = new ArrayList<>();
		this.tool = (call) -> {
			if (inner.size() < 2) {
				inner.add(false);
				int place = inner.size() - 1;
				ToolCall another = call.withArguments(Map.of("amount", 40, "place", place));
				inner.set(place, chain.execute(another, (again) -> this.tool.execute(again)).succeeded());
			}
			return ToolResult.success("done");
		};
		assertThat(chain.execute(ToolCall.of("refund", Map.of("amount", 40), ANN), (call) -> this.tool.execute(call))
			.succeeded()).isTrue();
		assertThat(inner).containsExactly(true, false);
		assertThat(refund(chain, Map.of("amount", 21, "note", ""), ANN).succeeded()).isFalse();
		assertThat(refund(chain, Map.of("amount", 20, "note", ""), ANN).succeeded()).isTrue();
	}

	private BudgetToolHook hook(int limit, String sum, String per) {
		return hook(new BigDecimal(limit), sum, per);
	}

	private BudgetToolHook hook(BigDecimal limit, @Nullable String sum, String per) {
		return hook(new BudgetConfig(limit, sum, per, null, (per.equals("day")) ? List.of("user") : null, null, null,
				null, null, null, null, null));
	}

	private BudgetToolHook hook(BudgetConfig config) {
		return new BudgetToolHook("refunds", config, TestExpressions.READER, stores(), () -> this.now,
				this.events::add);
	}

	private static BudgetConfig config(int limit, @Nullable Count count, @Nullable Then then,
			@Nullable BigDecimal warnAt) {
		return new BudgetConfig(new BigDecimal(limit), "args.amount", "day", null, List.of("user"), null, null, count,
				then, warnAt, null, null);
	}

	private ToolHookChain chain(PreToolHook... hooks) {
		List<PostToolHook> learning = new ArrayList<>();
		for (PreToolHook hook : hooks) {
			if (hook instanceof PostToolHook post) {
				learning.add(post);
			}
		}
		learning.add(this.outcomes::add);
		return new ToolHookChain(List.of(hooks), List.of(), learning, this.approver, null, new AbortedRuns());
	}

	private ToolResult refund(ToolHookChain chain, Object amount) {
		return refund(chain, amount, ANN);
	}

	private ToolResult refund(ToolHookChain chain, Object amount, CallContext context) {
		return refund(chain, Map.of("amount", amount), context);
	}

	private ToolResult refund(ToolHookChain chain, Map<String, Object> arguments, CallContext context) {
		return chain.execute(ToolCall.of("refund", arguments, context), (call) -> this.tool.execute(call));
	}

}
