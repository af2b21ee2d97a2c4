package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.limit.LoopConfig.Steps;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every {@link LoopStore} promises, in a time that passes only when a test says so.
 */
abstract class LoopStoreContract {

	static final Steps NEVER = new Steps(0, 0, 0);

	static final LoopConfig DEFAULTS = new LoopConfig(null, null, null, null, null, null, null, null);

	/** In microseconds. */
	final AtomicLong clock = new AtomicLong(1_700_000_000_000_000L);

	/** Where state is kept. */
	abstract StateStore states();

	/** Open a store of one more node; in memory, the one of the only node. */
	abstract LoopStore open(String hook, LoopSettings settings);

	final LoopStore open(LoopConfig config) {
		return open("loops", LoopSettings.of(config));
	}

	final LoopNode node(LoopConfig config, PreToolHook... later) {
		return new LoopNode(open(config), config, later);
	}

	final void pass(Duration time) {
		this.clock.addAndGet(SharedLimits.micros(time));
	}

	static LoopConfig repeats(int warn, int deny, int abort) {
		return new LoopConfig(new Steps(warn, deny, abort), NEVER, NEVER, null, null, null, null, null);
	}

	static LoopConfig calls(int deny) {
		return new LoopConfig(NEVER, NEVER, NEVER, new Steps(0, deny, 0), null, null, null, null);
	}

	@Test
	void twoNodesMakeOneLoopTogether() {
		LoopConfig config = repeats(3, 5, 7);
		LoopNode one = node(config);
		LoopNode two = node(config);
		for (int i = 0; i < 5; i++) {
			ToolResult result = ((i % 2 == 0) ? one : two).execute("read", 1, "same");
			assertThat(result.succeeded()).isTrue();
			assertThat(String.valueOf(result.additionalContext())
				.contains("has had the same result %d times".formatted(i))).isEqualTo(i >= 3);
		}
		assertThat(two.execute("read", 1, "same").content()).contains("has had the same result 5 times");
		assertThat(one.execute("read", 1, "same").content()).contains("has had the same result 6 times");
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> two.passes("read"))
			.withMessageContaining("The agent is in a loop");
		assertThat(one.execute("read", 2, "same").succeeded()).isTrue();
	}

	@Test
	void anotherResultOnAnotherNodeIsNoLoop() {
		LoopConfig config = repeats(0, 3, 0);
		LoopNode one = node(config);
		LoopNode two = node(config);
		for (int i = 0; i < 12; i++) {
			assertThat(((i % 3 == 0) ? one : two).execute("poll", 1, "version " + i / 2).succeeded()).isTrue();
		}
		assertThat(two.execute("poll", 1, "version 5").succeeded()).isTrue();
		assertThat(one.execute("poll", 1, "version 5").succeeded()).isFalse();
	}

	@Test
	void twoCallsOnTwoNodesThatTakeTurnsAreALoop() {
		LoopConfig config = new LoopConfig(NEVER, new Steps(0, 6, 0), NEVER, null, null, null, null, null);
		LoopNode one = node(config);
		LoopNode two = node(config);
		for (int i = 0; i < 3; i++) {
			assertThat(one.passes("open")).isTrue();
			assertThat(two.passes("close")).isTrue();
		}
		assertThat(one.execute("open", 1, "same").content()).contains("Two calls take turns");
		assertThat(two.passes("other")).isTrue();
		assertThat(two.passes("close")).isTrue();
	}

	@Test
	void toolThatFailsOnBothNodesIsALoopUntilItSucceedsOnOne() {
		LoopConfig config = new LoopConfig(NEVER, NEVER, new Steps(0, 4, 0), null, null, null, null, null);
		LoopNode one = node(config);
		LoopNode two = node(config);
		for (int i = 0; i < 3; i++) {
			int argument = i;
			((i % 2 == 0) ? one : two).execute(LoopNode.call("search", i),
					(call) -> ToolResult.failure("no " + argument));
		}
		assertThat(two.execute("search", 9, "found").succeeded()).isTrue();
		for (int i = 0; i < 4; i++) {
			int argument = i;
			assertThat(((i % 2 == 0) ? one : two)
				.execute(LoopNode.call("search", i), (call) -> ToolResult.failure("no " + argument))
				.content()).isEqualTo("no " + i);
		}
		assertThat(one.execute("search", 9, "found").content()).contains("This tool has failed 4 times in a row");
	}

	@Test
	void otherHooksRunsAndUsersAreNoLoop() {
		LoopConfig config = repeats(0, 2, 0);
		LoopNode node = node(config);
		for (CallContext context : List.of(LoopNode.RUN, LoopNode.RUN.withRunId("other"), CallContext.ofSession("s"),
				CallContext.ofSession("s").withUser("ann"), CallContext.ofSession("s").withUser("bob"))) {
			List<Boolean> passed = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				passed.add(node.execute(ToolCall.of("read", Map.of(), context), (call) -> ToolResult.success("same"))
					.succeeded());
			}
			assertThat(passed).containsExactly(true, true, false);
		}
		LoopNode otherHook = new LoopNode(open("other", LoopSettings.of(config)), config);
		assertThat(otherHook.passes("read")).isTrue();
	}

	@Test
	void callsThatEndAtTheSameTimeOnTwoNodesAreAllCounted() throws Exception {
		LoopConfig config = repeats(0, 2, 0);
		LoopStore one = open(config);
		LoopStore two = open(config);
		int calls = 96;
		List<LoopStore.Run> runs = new ArrayList<>();
		for (int i = 0; i < calls; i++) {
			LoopStore.Entered entered = ((i % 2 == 0) ? one : two).enter("run", "call", "tool");
			assertThat(entered.looked().finding().passes()).isTrue();
			runs.add(entered.run());
		}
		List<Callable<Boolean>> ends = new ArrayList<>();
		for (int i = 0; i < calls; i++) {
			LoopStore node = (i % 2 == 0) ? one : two;
			LoopStore.Run run = runs.get(i);
			ends.add(() -> {
				node.end(run, "call", "tool", "same", false);
				return true;
			});
		}
		inThreads(ends);
		for (LoopStore node : List.of(one, two)) {
			assertThat(node.look("run", "call", "tool").finding().count()).isEqualTo(calls);
		}
	}

	@Test
	void exactlySoManyCallsOfManyThreadsOnTwoNodesPass() throws Exception {
		LoopConfig config = calls(50);
		List<LoopNode> nodes = List.of(node(config), node(config));
		List<Callable<Boolean>> callers = new ArrayList<>();
		for (int i = 0; i < 120; i++) {
			int number = i;
			callers.add(() -> nodes.get(number % 2).execute("tool", number % 9, "result " + number).succeeded());
		}
		assertThat(inThreads(callers)).isEqualTo(50);
	}

	private static int inThreads(List<Callable<Boolean>> work) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(16);
		try {
			int yes = 0;
			for (Future<Boolean> each : threads.invokeAll(work)) {
				yes += (each.get()) ? 1 : 0;
			}
			return yes;
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void parallelCallsOfOneTurnAreAllCounted() throws Exception {
		LoopConfig config = repeats(0, 8, 0);
		List<LoopNode> nodes = List.of(node(config), node(config));
		CyclicBarrier allRun = new CyclicBarrier(8);
		List<Callable<Boolean>> callers = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			LoopNode node = nodes.get(i % 2);
			callers.add(() -> node.execute(LoopNode.call("read", 1), (call) -> {
				await(allRun);
				return ToolResult.success("same");
			}).succeeded());
		}
		assertThat(inThreads(callers)).isEqualTo(8);
		for (LoopNode node : nodes) {
			assertThat(node.passes("read")).isFalse();
		}
	}

	private static void await(CyclicBarrier barrier) {
		try {
			int unused = barrier.await(60, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void runIsForgottenAfterATimeWithoutACallByTheClockOfTheStore() {
		LoopConfig config = new LoopConfig(new Steps(0, 2, 0), null, null, null, null, null, Duration.ofMinutes(10),
				null);
		LoopNode one = node(config);
		LoopNode two = node(config);
		assertThat(one.passes("read")).isTrue();
		pass(Duration.ofMinutes(9));
		assertThat(two.passes("read")).isTrue();
		pass(Duration.ofMinutes(9));
		assertThat(one.explain("read")).isEqualTo(Verdict.DENY);
		assertThat(one.passes("read")).isFalse();
		pass(Duration.ofMinutes(10).minusNanos(1_000));
		assertThat(one.explain("read")).isEqualTo(Verdict.DENY);
		pass(Duration.ofNanos(1_000));
		assertThat(two.explain("read")).isEqualTo(Verdict.APPROVE);
		assertThat(one.passes("read")).isTrue();
		assertThat(two.passes("read")).isTrue();
		assertThat(one.passes("read")).isFalse();
	}

	@Test
	void callThatTakesLongerThanThatKeepsItsRun() {
		LoopConfig config = new LoopConfig(new Steps(0, 2, 0), null, null, null, null, null, Duration.ofMinutes(10),
				null);
		LoopNode node = node(config);
		for (int i = 0; i < 2; i++) {
			assertThat(node.execute(LoopNode.call("export", 1), (call) -> {
				pass(Duration.ofMinutes(60));
				return ToolResult.success("same");
			}).succeeded()).isTrue();
		}
		assertThat(node.passes("export")).isFalse();
	}

	@Test
	void callOfARunThatWasForgottenAndBeganAgainIsNotCountedThere() {
		LoopConfig config = repeats(2, 0, 0);
		LoopStore store = open(config);
		LoopStore.Run run = store.enter("run", "call", "tool").run();
		LoopStore.Run waiting = store.enter("run", "call", "tool").run();
		pass(Duration.ofHours(1));
		LoopStore.Entered again = open(config).enter("run", "call", "tool");
		store.end(run, "call", "tool", "same", false);
		store.leave(waiting);
		assertThat(store.look("run", "call", "tool").finding().count()).isZero();
		store.end(again.run(), "call", "tool", "same", false);
		assertThat(store.look("run", "call", "tool").finding().count()).isEqualTo(1);
	}

	@Test
	void callThatWaitsForPeopleCountsOnceWhenItIsResumedOnAnotherNode() {
		LoopConfig config = calls(2);
		AtomicBoolean approved = new AtomicBoolean();
		ToolApprover people = (call, question) -> (approved.get()) ? ToolDecision.approve() : question.pendingAs("q");
		PreToolHook ask = (call) -> ToolDecision.ask("really?");
		LoopNode one = new LoopNode(open(config), config, people, ask);
		LoopNode two = new LoopNode(open(config), config, people, ask);
		List<ToolCall> calls = List.of(LoopNode.call("pay", 1), LoopNode.call("pay", 2), LoopNode.call("pay", 3));
		for (ToolCall call : calls) {
			assertThatExceptionOfType(TurnSuspendedException.class)
				.isThrownBy(() -> one.execute(call, (ran) -> ToolResult.success("paid")));
		}
		approved.set(true);
		assertThat(calls).extracting((call) -> two.execute(call, (ran) -> ToolResult.success("paid")).succeeded())
			.containsExactly(true, true, false);
	}

	@Test
	void honestRunOnTwoNodesIsNoLoop() {
		Random random = new Random(7);
		List<LoopNode> nodes = List.of(node(DEFAULTS), node(DEFAULTS));
		int[] versions = new int[4];
		int[] reads = new int[4];
		for (int i = 0; i < 150; i++) {
			int file = random.nextInt(4);
			boolean writes = ++reads[file] > 9 || random.nextInt(3) == 0;
			reads[file] = (writes) ? 0 : reads[file];
			versions[file] += (writes) ? 1 : 0;
			ToolResult result = nodes.get(random.nextInt(2))
				.execute((writes) ? "write" : "read", file, "version " + versions[file]);
			assertThat(result.succeeded()).isTrue();
			assertThat(result.additionalContext()).isNull();
		}
	}

	@Test
	void explainingAndHowMuchIsLeftGoByAllNodes() {
		LoopConfig config = repeats(0, 3, 0);
		LoopNode one = node(config);
		LoopNode two = node(config);
		List<@Nullable Integer> left = new ArrayList<>();
		two.hook.tellLeft((told) -> left.add((told.remaining() != null) ? told.remaining().intValue() : null));
		for (int i = 0; i < 3; i++) {
			assertThat(one.explain("read")).isEqualTo(Verdict.APPROVE);
			assertThat(two.explain("read")).isEqualTo(Verdict.APPROVE);
			assertThat(((i == 0) ? one : two).passes("read")).isTrue();
		}
		assertThat(one.explain("read")).isEqualTo(Verdict.DENY);
		assertThat(two.passes("read")).isFalse();
		assertThat(left).containsExactly(1, 0, 0);
	}

	@Test
	void endThatTheStoreCannotBeToldLeavesTheResult() {
		LoopConfig config = repeats(0, 2, 0);
		AtomicBoolean away = new AtomicBoolean();
		StateStore states = states();
		LoopNode node = new LoopNode(LoopStore.open(LoopSettings.entry("loops"), LoopSettings.of(config),
				SharedLimits.LEASE, new StateStore() {

					@Override
					public <S> KeyedState<S> open(StateTerms<S> terms) {
						return new BreakableState<>(states.open(terms), away);
					}

				}), config);
		ToolResult result = node.execute(LoopNode.call("read", 1), (call) -> {
			away.set(true);
			return ToolResult.success("same");
		});
		assertThat(result).isEqualTo(ToolResult.success("same"));
		assertThat(node.passes("read")).isFalse();
		away.set(false);
		assertThat(node.passes("read")).isTrue();
		assertThat(node.passes("read")).isTrue();
		assertThat(node.passes("read")).isFalse();
	}

}
