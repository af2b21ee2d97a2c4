package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Verdict;
import io.agenthooks.spring.limit.LoopConfig.Steps;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link LoopToolHook}, in chains.
 */
class LoopToolHookTests {

	private static final LoopConfig DEFAULTS = new LoopConfig(null, null, null, null, null, null, null, null);

	private static final Steps NEVER = new Steps(0, 0, 0);

	private static final CallContext RUN = CallContext.ofSession("s1").withRunId("r1");

	private final AtomicLong clock = new AtomicLong();

	private final Stores stores = new Stores();

	private final AtomicInteger ran = new AtomicInteger();

	private ToolExecutor tool = (call) -> ToolResult.success("same");

	// What a loop is

	@Test
	void sameCallWithTheSameResultIsWarnedOfThenDeniedThenEndsTheTurn() {
		ToolHookChain chain = chain(hook(DEFAULTS));
		for (int i = 0; i < 10; i++) {
			assertThat(execute(chain, "read", 1).additionalContext()).isNull();
		}
		for (int i = 10; i < 20; i++) {
			ToolResult result = execute(chain, "read", 1);
			assertThat(result.succeeded()).isTrue();
			assertThat(result.additionalContext()).contains("has had the same result %d times".formatted(i));
		}
		for (int i = 20; i < 30; i++) {
			ToolResult result = execute(chain, "read", 1);
			assertThat(result.content()).contains("has had the same result %d times".formatted(i));
		}
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> execute(chain, "read", 1))
			.withMessageContaining("The agent is in a loop");
		assertThat(this.ran).hasValue(20);
		assertThat(execute(chain, "read", 2).additionalContext()).isNull();
	}

	@Test
	void resultOfACallInsideOfAnotherOfTheSameIdIsNotThatOfTheOther() {
		LoopToolHook hook = hook(new LoopConfig(new Steps(0, 3, 0), null, null, null, null, null, null, null));
		AtomicInteger denied = new AtomicInteger();
		PreToolHook earlier = (call) -> (call.arguments().isEmpty()) ? ToolDecision.approve()
				: ToolDecision.deny("no " + denied.incrementAndGet());
		ToolHookChain chain = new ToolHookChain(List.of(earlier, hook), List.of(hook), ToolApprover.nobody());
		for (int i = 0; i < 5; i++) {
			chain.execute(ToolCall.of("same", "read", Map.of(), RUN), (call) -> {
				chain.execute(call.withArguments(Map.of("n", 1)), this::run);
				return run(call);
			});
		}
		assertThat(denied).hasValue(3);
		assertThat(this.ran).hasValue(3);
	}

	@Test
	void orderOfNamesAndTheFormOfANumberMakeNoOtherCall() {
		ToolHookChain chain = chain(hook(repeats(2, 3)));
		for (Map<String, Object> arguments : List.of(ordered("a", 1, "b", 2.0), ordered("b", 2, "a", 1.0),
				ordered("a", 1L, "b", 2))) {
			assertThat(chain.execute(ToolCall.of("read", arguments, RUN), this::run).succeeded()).isTrue();
		}
		assertThat(chain.execute(ToolCall.of("read", ordered("b", 2, "a", 1), RUN), this::run).succeeded()).isFalse();
	}

	private static Map<String, Object> ordered(String first, Object one, String second, Object two) {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put(first, one);
		arguments.put(second, two);
		return arguments;
	}

	@Test
	void anotherResultIsNoLoop() {
		this.tool = (call) -> ToolResult.success("result " + this.ran.get() / 9);
		ToolHookChain chain = chain(hook(DEFAULTS));
		for (int i = 0; i < 200; i++) {
			assertThat(execute(chain, "poll", 1).additionalContext()).isNull();
		}
	}

	@Test
	void otherRunsAndSessionsAreNoLoop() {
		ToolHookChain chain = chain(hook(repeats(0, 3)));
		for (int i = 0; i < 3; i++) {
			for (CallContext context : List.of(RUN, RUN.withRunId("r2"), CallContext.ofSession("s1"),
					CallContext.ofSession("s2"), CallContext.ofSession("s1").withUser("a"),
					CallContext.ofSession("s1").withAgent("a"))) {
				assertThat(execute(chain, "read", 1, context).succeeded()).isTrue();
			}
		}
		assertThat(execute(chain, "read", 1, RUN.withRunId("r2")).succeeded()).isFalse();
		assertThat(execute(chain, "read", 1, CallContext.ofSession("s2")).succeeded()).isFalse();
	}

	@Test
	void twoCallsThatTakeTurnsAreALoop() {
		ToolHookChain chain = chain(hook(new LoopConfig(NEVER, null, null, null, null, null, null, null)));
		List<ToolResult> results = new ArrayList<>();
		for (int i = 0; i < 30; i++) {
			results.add(execute(chain, (i % 2 == 0) ? "open" : "close", 1));
		}
		assertThat(results.subList(0, 10)).allMatch((result) -> result.additionalContext() == null);
		assertThat(results.subList(10, 20))
			.allMatch((result) -> String.valueOf(result.additionalContext()).contains("Two calls take turns"));
		assertThat(results.subList(20, 30)).noneMatch(ToolResult::succeeded);
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> execute(chain, "open", 1));
	}

	@Test
	void turnsThatMakeProgressOrAreInterruptedAreNoLoop() {
		LoopConfig onlyTurns = new LoopConfig(NEVER, null, NEVER, null, null, null, null, null);
		this.tool = (call) -> ToolResult.success("step " + this.ran.get());
		ToolHookChain progress = chain(hook(onlyTurns));
		for (int i = 0; i < 60; i++) {
			assertThat(execute(progress, (i % 2 == 0) ? "edit" : "test", 1).additionalContext()).isNull();
		}
		this.tool = (call) -> ToolResult.success("same");
		ToolHookChain interrupted = chain(hook(onlyTurns));
		for (int i = 0; i < 60; i++) {
			assertThat(execute(interrupted, (i % 9 == 8) ? "think" : (i % 2 == 0) ? "edit" : "test", i % 9)
				.additionalContext()).isNull();
		}
	}

	@Test
	void toolThatKeepsFailingIsALoop() {
		this.tool = (call) -> ToolResult.failure("no " + this.ran.get());
		ToolHookChain chain = chain(hook(DEFAULTS));
		for (int i = 0; i < 20; i++) {
			String context = execute(chain, "search", i).additionalContext();
			assertThat(context != null).isEqualTo(i >= 10);
		}
		assertThat(execute(chain, "search", 99).content()).contains("This tool has failed 20 times in a row");
		assertThat(execute(chain, "other", 99).content()).startsWith("no");
		for (int i = 21; i < 30; i++) {
			execute(chain, "search", i);
		}
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> execute(chain, "search", 1));
		assertThat(this.ran).hasValue(21);
	}

	@Test
	void successEndsTheRowOfFailures() {
		this.tool = (call) -> (this.ran.get() % 10 == 0) ? ToolResult.success("ok")
				: ToolResult.failure("no " + this.ran.get());
		ToolHookChain chain = chain(hook(DEFAULTS));
		for (int i = 0; i < 100; i++) {
			assertThat(execute(chain, "search", i).additionalContext()).isNull();
		}
	}

	@Test
	void runMakesOnlySoManyCalls() {
		ToolHookChain chain = chain(
				hook(new LoopConfig(NEVER, NEVER, NEVER, new Steps(2, 4, 6), null, null, null, null)));
		List<Boolean> succeeded = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			ToolResult result = execute(chain, "tool" + i, i);
			succeeded.add(result.succeeded());
			assertThat(result.additionalContext() != null).isEqualTo(i == 2 || i == 3);
		}
		assertThat(succeeded).containsExactly(true, true, true, true, false, false);
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> execute(chain, "tool", 9));
	}

	@Test
	void callThatWaitsForPeopleCountsWhenItIsResumedAndOnlyThen() {
		LoopToolHook hook = hook(new LoopConfig(NEVER, NEVER, NEVER, new Steps(0, 2, 0), null, null, null, null));
		AtomicBoolean approved = new AtomicBoolean();
		ToolApprover people = (call, question) -> (approved.get()) ? ToolDecision.approve() : question.pendingAs("q");
		ToolHookChain chain = new ToolHookChain(List.of(hook, (PreToolHook) (call) -> ToolDecision.ask("really?")),
				List.of(hook), people);
		List<ToolCall> calls = List.of(ToolCall.of("pay", Map.of(), RUN), ToolCall.of("pay", Map.of("n", 1), RUN),
				ToolCall.of("pay", Map.of("n", 2), RUN));
		for (ToolCall call : calls) {
			assertThatExceptionOfType(TurnSuspendedException.class).isThrownBy(() -> chain.execute(call, this::run));
		}
		approved.set(true);
		assertThat(calls).extracting((call) -> chain.execute(call, this::run).succeeded())
			.containsExactly(true, true, false);
	}

	@Test
	void callThatOthersDenyAgainAndAgainIsALoop() {
		ToolHookChain chain = chain(hook(DEFAULTS), (call) -> ToolDecision.deny("not allowed"));
		for (int i = 0; i < 20; i++) {
			assertThat(execute(chain, "delete", 1).content()).contains("not allowed");
		}
		assertThat(execute(chain, "delete", 1).content()).contains("has had the same result 20 times");
		assertThat(this.ran).hasValue(0);
	}

	@Test
	void exceptionsOfAToolAreResults() {
		this.tool = (call) -> {
			throw new IllegalStateException("boom " + this.ran.get());
		};
		ToolHookChain chain = chain(hook(DEFAULTS));
		for (int i = 0; i < 20; i++) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> execute(chain, "read", 1));
		}
		assertThat(execute(chain, "read", 1).content()).contains("20 times");
	}

	@Test
	void callWithoutRunAndSessionIsDeniedOrSkipped() {
		assertThat(execute(chain(hook(DEFAULTS)), "read", 1, CallContext.empty()).content())
			.contains("neither a run nor a session");
		ToolHookChain skipping = chain(
				hook(new LoopConfig(null, null, null, null, OnMissingKey.SKIP, null, null, null)));
		for (int i = 0; i < 40; i++) {
			assertThat(execute(skipping, "read", 1, CallContext.empty()).succeeded()).isTrue();
		}
	}

	// Random runs

	/**
	 * A loop is found at its exact place, whatever the agent does in between.
	 */
	@RepeatedTest(40)
	void loopIsFoundAmongOtherCalls(RepetitionInfo repetition) {
		Random random = new Random(repetition.getCurrentRepetition());
		this.tool = (call) -> ToolResult
			.success((call.tool().equals("stuck")) ? "same" : "result " + random.nextInt(1_000_000));
		ToolHookChain chain = chain(hook(DEFAULTS));
		int stuck = 0;
		while (stuck <= 20) {
			if (random.nextInt(4) > 0) {
				assertThat(execute(chain, "tool" + random.nextInt(5), random.nextInt(8)).additionalContext()).isNull();
				continue;
			}
			ToolResult result = execute(chain, "stuck", 1);
			assertThat(result.succeeded()).isEqualTo(stuck < 20);
			assertThat(result.additionalContext() != null).isEqualTo(stuck >= 10 && stuck < 20);
			stuck++;
		}
	}

	/**
	 * An agent that reads, changes and reads again, polls until something changes, and
	 * retries some times, is in no loop.
	 */
	@RepeatedTest(40)
	void honestRunIsNoLoop(RepetitionInfo repetition) {
		Random random = new Random(repetition.getCurrentRepetition());
		int[] versions = new int[6];
		this.tool = (call) -> {
			int file = (call.arguments().get("n") instanceof Number number) ? number.intValue() : 0;
			return switch (call.tool()) {
				case "write" -> ToolResult.success("written " + versions[file]++);
				case "flaky" -> (random.nextInt(3) > 0) ? ToolResult.failure("busy " + random.nextInt(3))
						: ToolResult.success("ok");
				default -> ToolResult.success("version " + versions[file]);
			};
		};
		ToolHookChain chain = chain(
				hook(new LoopConfig(null, null, new Steps(50, 60, 70), null, null, null, null, null)));
		int[] reads = new int[6];
		for (int i = 0; i < 500; i++) {
			int file = random.nextInt(6);
			String next = List.of("read", "read", "write", "flaky").get(random.nextInt(4));
			if (next.equals("flaky")) {
				assertThat(execute(chain, next, 100 + i).additionalContext()).isNull();
				continue;
			}
			// It reads what has not changed nine times at most.
			next = (next.equals("read") && ++reads[file] > 9) ? "write" : next;
			reads[file] = (next.equals("write")) ? 0 : reads[file];
			assertThat(execute(chain, next, file).additionalContext()).isNull();
		}
	}

	// Bounds and many threads

	@Test
	void onlySomeCallsAndRunsAreRemembered() {
		LoopToolHook hook = hook(new LoopConfig(null, null, null, null, null, 3, null, null));
		ToolHookChain chain = chain(hook);
		for (int run = 0; run < 10; run++) {
			for (int i = 0; i < 200; i++) {
				execute(chain, "tool" + i, i, CallContext.empty().withRunId("r" + run));
			}
		}
		assertThat(this.stores.made).singleElement().extracting(MemoryState::size).isEqualTo(3);
		RunCalls calls = new RunCalls(LoopSettings.of(DEFAULTS));
		for (int i = 0; i < 1_000; i++) {
			calls.end("call" + i, "tool" + i, "result", true);
		}
		assertThat(calls.size()).isEqualTo(2 * RunCalls.MAX);
	}

	@Test
	void runIsForgottenAfterATimeWithoutACall() {
		ToolHookChain chain = chain(
				hook(new LoopConfig(new Steps(0, 2, 0), null, null, null, null, null, Duration.ofMinutes(10), null)));
		execute(chain, "read", 1);
		this.clock.addAndGet(Duration.ofMinutes(9).toNanos());
		execute(chain, "read", 1);
		this.clock.addAndGet(Duration.ofMinutes(9).toNanos());
		assertThat(execute(chain, "read", 1).succeeded()).isFalse();
		this.clock.addAndGet(Duration.ofMinutes(10).toNanos());
		assertThat(execute(chain, "read", 1).succeeded()).isTrue();
	}

	@Test
	void exactlySoManyCallsOfManyThreadsPass() throws Exception {
		ToolHookChain chain = chain(
				hook(new LoopConfig(NEVER, NEVER, NEVER, new Steps(0, 50, 0), null, null, null, null)));
		ExecutorService threads = Executors.newFixedThreadPool(16);
		try {
			List<Callable<Boolean>> callers = Collections.nCopies(300,
					() -> execute(chain, "read", Thread.currentThread().getName().hashCode()).succeeded());
			int passed = 0;
			for (Future<Boolean> caller : threads.invokeAll(callers)) {
				passed += (caller.get()) ? 1 : 0;
			}
			assertThat(passed).isEqualTo(50);
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void explainingLeavesNoTrace() {
		LoopToolHook hook = hook(repeats(0, 2));
		ToolHookChain chain = chain(hook);
		for (int i = 0; i < 9; i++) {
			assertThat(explained(chain)).isEqualTo(Verdict.APPROVE);
		}
		assertThat(this.stores.made).singleElement().extracting(MemoryState::size).isEqualTo(0);
		execute(chain, "read", 1);
		execute(chain, "read", 1);
		for (int i = 0; i < 40; i++) {
			assertThat(explained(chain)).isEqualTo(Verdict.DENY);
		}
	}

	private static Verdict explained(ToolHookChain chain) {
		return chain.explain(ToolCall.of("read", Map.of("n", 1), RUN), (call) -> ToolResult.success(""), true)
			.decision()
			.verdict();
	}

	// Settings

	@Test
	void defaultsAreThoseOfOpenclaw() {
		LoopSettings settings = LoopSettings.of(DEFAULTS);
		assertThat(List.of(settings.repeats(), settings.pingPong(), settings.failures()))
			.containsOnly(new LoopSteps(10, 20, 30));
		assertThat(settings.calls()).isEqualTo(LoopSteps.NEVER);
	}

	@Test
	void whatIsNotWrittenKeepsItsDefaultIfThatIsInOrder() {
		assertThat(steps(new Steps(5, null, null))).isEqualTo(new LoopSteps(5, 20, 30));
		assertThat(steps(new Steps(null, 5, null))).isEqualTo(new LoopSteps(0, 5, 30));
		assertThat(steps(new Steps(null, 50, null))).isEqualTo(new LoopSteps(10, 50, 0));
		assertThat(steps(new Steps(25, null, null))).isEqualTo(new LoopSteps(25, 0, 30));
		assertThat(steps(new Steps(0, 3, 0))).isEqualTo(new LoopSteps(0, 3, 0));
		assertThat(steps(new Steps(null, null, 15))).isEqualTo(new LoopSteps(10, 0, 15));
	}

	private static LoopSteps steps(Steps steps) {
		return LoopSettings.of(new LoopConfig(steps, null, null, null, null, null, null, null)).repeats();
	}

	@Test
	void mistakesAreTold() {
		assertThat(problems(new LoopConfig(new Steps(1, null, null), new Steps(5, 5, null), new Steps(-1, null, null),
				new Steps(null, 100_001, null), null, 0, Duration.ZERO, null)))
			.extracting((problem) -> String.join(".", problem.path()))
			.containsExactly("repeats.warn", "ping_pong", "failures.warn", "calls.deny", "max_runs", "forget_after");
		assertThat(problems(new LoopConfig(NEVER, NEVER, NEVER, null, null, null, null, null))).hasSize(1);
		assertThat(problems(new LoopConfig(new Steps(9, 0, 8), null, null, null, null, null, null, null))).hasSize(1);
	}

	private static List<Problem> problems(LoopConfig config) {
		return catchThrowableOfType(InvalidHookConfigException.class, () -> LoopSettings.of(config)).getProblems();
	}

	// Helpers

	private static LoopConfig repeats(int warn, int deny) {
		return new LoopConfig(new Steps(warn, deny, 0), null, null, null, null, null, null, null);
	}

	private LoopToolHook hook(LoopConfig config) {
		return new LoopToolHook("loop", config, this.stores);
	}

	private static ToolHookChain chain(LoopToolHook hook, PreToolHook... later) {
		List<PreToolHook> hooks = new ArrayList<>(List.of(hook));
		for (PreToolHook other : later) {
			hooks.add(other);
		}
		return new ToolHookChain(hooks, List.of(hook), ToolApprover.nobody());
	}

	private ToolResult run(ToolCall call) {
		this.ran.incrementAndGet();
		return this.tool.execute(call);
	}

	private ToolResult execute(ToolHookChain chain, String tool, int argument) {
		return execute(chain, tool, argument, RUN);
	}

	private ToolResult execute(ToolHookChain chain, String tool, int argument, CallContext context) {
		return chain.execute(ToolCall.of(tool, Map.of("n", argument), context), this::run);
	}

	/**
	 * Stores in memory, in a time that passes only when a test says so.
	 */
	private final class Stores implements LimitStores {

		private final List<MemoryState<?>> made = new ArrayList<>();

		@Override
		public StateStore states() {
			StateStore memory = MemoryState.store(LoopToolHookTests.this.clock::get);
			return new StateStore() {

				@Override
				public <S> KeyedState<S> open(StateTerms<S> terms) {
					KeyedState<S> state = memory.open(terms);
					Stores.this.made.add((MemoryState<?>) state);
					return state;
				}

			};
		}

	}

}
