package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolHookChain}: an aborted run stays aborted until it ends.
 */
class ToolHookChainAbortTests {

	private final GuardedTool tool = new GuardedTool();

	private final List<ToolCall> asked = new ArrayList<>();

	/** Aborts at the tool {@code stop}, and approves everything else. */
	private final ToolHookChain chain = this.tool.chain(PreToolHook.named("guard", (call) -> {
		this.asked.add(call);
		return (call.tool().equals("stop")) ? ToolDecision.abortRun("enough") : ToolDecision.approve();
	}));

	private static ToolCall call(String tool, @Nullable String session, @Nullable String run) {
		return ToolCall.of(tool, Map.of(), CallContext.ofSession(session).withRunId(run));
	}

	private void assertAborted(ToolCall call) {
		assertThatExceptionOfType(RunAbortedException.class).isThrownBy(() -> this.chain.execute(call, this.tool::run))
			.satisfies((ex) -> {
				assertThat(ex.getCall()).isSameAs(call);
				assertThat(ex.getHook()).isEqualTo("guard");
				assertThat(ex.getReason()).isEqualTo("enough");
			});
	}

	private void assertRuns(ToolCall call) {
		assertThat(this.chain.execute(call, this.tool::run).succeeded()).isTrue();
	}

	@Test
	void executeWhenRunWasAbortedRefusesWithoutAskingHooks() {
		assertAborted(call("stop", "s", "r"));
		ToolCall later = call("go", "s", "r");
		assertAborted(later);
		assertThat(this.asked).hasSize(1);
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcomes).hasSize(2).last().satisfies((outcome) -> {
			assertThat(outcome.requested()).isSameAs(later);
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.ABORTED);
			assertThat(outcome.decidedBy()).isEqualTo("guard");
			assertThat(outcome.decision()).isEqualTo(ToolDecision.abortRun("enough"));
			assertThat(outcome.failure()).isInstanceOf(RunAbortedException.class);
		});
	}

	@Test
	void executeWhenRunWasAbortedOtherRunsGoOn() {
		assertAborted(call("stop", "s", "r"));
		assertRuns(call("go", "s", "other"));
		assertRuns(call("go", "other", null));
		assertRuns(call("go", null, null));
	}

	@Test
	void executeWhenRunIsUnknownSessionIsTheRun() {
		assertAborted(call("stop", "s", null));
		assertAborted(call("go", "s", null));
		assertAborted(call("go", "s", "r"));
		assertRuns(call("go", "other", "s"));
	}

	@Test
	void executeWhenSessionWasAbortedTheSameSessionOfOthersGoesOn() {
		CallContext alice = CallContext.ofSession("default").withUser("alice").withAgent("a");
		assertAborted(ToolCall.of("stop", Map.of(), alice));
		assertAborted(ToolCall.of("go", Map.of(), alice.withRunId("fresh")));
		assertRuns(ToolCall.of("go", Map.of(), alice.withUser("bob")));
		assertRuns(ToolCall.of("go", Map.of(), alice.withAgent("b")));
		assertRuns(ToolCall.of("go", Map.of(), CallContext.empty().withUser("carol").withRunId("default")));
		assertThat(this.chain.endRun("default")).isFalse();
		assertThat(this.chain.endSession("default", "bob", "a")).isFalse();
		assertAborted(ToolCall.of("go", Map.of(), alice));
		assertThat(this.chain.endSession("default", "alice", "a")).isTrue();
		assertRuns(ToolCall.of("go", Map.of(), alice));
	}

	@Test
	void executeWhenNeitherRunNorSessionIsKnownAbortsTheCallOnly() {
		assertAborted(call("stop", null, null));
		assertRuns(call("go", null, null));
	}

	@Test
	void executeWhenTurnWasAbortedRunGoesOn() {
		ToolHookChain chain = this.tool
			.chain((call) -> (call.tool().equals("stop")) ? ToolDecision.abortTurn("enough") : ToolDecision.approve());
		assertThatExceptionOfType(TurnAbortedException.class)
			.isThrownBy(() -> chain.execute(call("stop", "s", "r"), this.tool::run));
		assertThat(chain.execute(call("go", "s", "r"), this.tool::run).succeeded()).isTrue();
	}

	@Test
	void endRunLetsAnotherBegin() {
		assertAborted(call("stop", "s", "r"));
		assertThat(this.chain.endRun("r")).isTrue();
		assertRuns(call("go", "s", "r"));
		assertThat(this.chain.endRun("r")).isFalse();
	}

	@Test
	void endSessionLetsItGoOn() {
		assertAborted(call("stop", "s", null));
		assertThat(this.chain.endRun("s")).isFalse();
		assertThat(this.chain.endSession("s", null, null)).isTrue();
		assertRuns(call("go", "s", null));
	}

	@Test
	void endRunOfUnknownRunDoesNothing() {
		assertAborted(call("stop", "s", "r"));
		assertThat(this.chain.endRun("other")).isFalse();
		assertAborted(call("go", "s", "r"));
	}

	@Test
	void executeWhenApproverAbortsRunStaysAborted() {
		ToolHookChain chain = this.tool.withApprover((call, question) -> ToolDecision.abortRun("go home"))
			.chain((call) -> ToolDecision.ask("Really?"));
		ToolCall call = call("go", "s", "r");
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(RunAbortedException.class).isThrownBy(() -> chain.execute(call, this.tool::run))
				.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo("go home"));
		}
	}

	@Test
	void executeWhenPolicyAbortsAboutFinalArgumentsRunStaysAborted() {
		ToolHookChain chain = this.tool.chain(Hooks.policy((call) -> ("rm".equals(call.arguments().get("command")))
				? ToolDecision.abortRun("rm") : ToolDecision.approve()), Hooks.changingCommandTo("rm"));
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> chain.execute(call("go", "s", "r"), this.tool::run));
		}
		assertThat(this.tool.outcomes).extracting((outcome) -> outcome.decision().verdict().value())
			.containsOnly("abort");
		assertThat(this.tool.outcomes.get(1).effective().arguments()).isEmpty();
	}

	@Test
	void executeWhenObservedHookWouldAbortRunGoesOn() {
		ToolHookChain chain = this.tool.chain(PreToolHook.observeOnly((call) -> ToolDecision.abortRun("enough")));
		for (int i = 0; i < 2; i++) {
			assertThat(chain.execute(call("go", "s", "r"), this.tool::run).succeeded()).isTrue();
		}
		assertThat(this.tool.outcomes).allSatisfy((outcome) -> assertThat(outcome.wouldDeny()).hasSize(1));
	}

	@Test
	void executeWhenRunIsAbortedWhileItsHookWaitsDoesNotRunTheTool() {
		List<ToolHookChain> self = new ArrayList<>();
		self.add(this.tool.chain((call) -> {
			if (call.tool().equals("stop")) {
				return ToolDecision.abortRun("enough");
			}
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> self.get(0).execute(call("stop", null, "r"), this.tool::run));
			return ToolDecision.approve();
		}));
		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> self.get(0).execute(call("go", null, "r"), this.tool::run));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenRunIsAbortedWhileToolRunsGivesItsResult() {
		this.tool.withTool((call) -> {
			assertAborted(call("stop", null, "r"));
			return ToolResult.success("done");
		});
		assertThat(this.chain.execute(call("go", null, "r"), this.tool::run).content()).isEqualTo("done");
	}

	@Test
	void replaceHooksKeepsWhatWasAborted() {
		assertAborted(call("stop", "s", "r"));
		ReplacedHooks.replace(this.chain, List.of(), List.of(), List.of());
		assertAborted(call("go", "s", "r"));
		assertRuns(call("go", "s", "other"));
	}

	@Test
	void executeWhenToolsAreSwitchedOffAbortedRunIsRefusedAsThat() {
		assertAborted(call("stop", "s", "r"));
		this.chain.setToolsEnabled(false);
		assertThat(this.chain.execute(call("go", "s", "r"), this.tool::run).content()).contains("kill-switch");
		this.chain.setToolsEnabled(true);
		assertAborted(call("go", "s", "r"));
	}

	@Test
	void executeRemembersTheFirstAbortOfARun() {
		List<ToolHookChain> self = new ArrayList<>();
		self.add(this.tool.chain(PreToolHook.named("guard", (call) -> {
			if (!call.tool().equals("inner")) {
				assertThatExceptionOfType(RunAbortedException.class)
					.isThrownBy(() -> self.get(0).execute(call("inner", null, "r"), this.tool::run));
			}
			return ToolDecision.abortRun(call.tool());
		})));
		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> self.get(0).execute(call("outer", null, "r"), this.tool::run))
			.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo("outer"));
		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> self.get(0).execute(call("later", null, "r"), this.tool::run))
			.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo("inner"));
	}

	@Test
	void executeWhenTooManyRunsWereAbortedDeniesOthersAndForgetsNone() {
		int most = AbortedRuns.MAX_RUNS - AbortedRuns.MAX_RUNS_OF_USER;
		for (int i = 0; i < most; i++) {
			assertAborted(call("stop", null, "r" + i));
		}
		this.asked.clear();
		assertThat(this.chain.execute(call("stop", null, "new"), this.tool::run).content()).contains("'abort-limit'",
				"Too many aborted runs have not ended");
		assertThat(this.asked).isEmpty();
		assertThat(this.tool.outcomes).last()
			.satisfies((outcome) -> assertThat(outcome.decidedBy()).isEqualTo("abort-limit"));
		assertAborted(call("go", null, "r0"));
		assertAborted(call("go", null, "r" + (most - 1)));
		assertThat(this.chain.endRun("r1")).isTrue();
		assertRuns(call("go", null, "new"));
		assertRuns(call("go", null, "r1"));
	}

	@Test
	@Timeout(60)
	void endRunIsNotUndoneByACallThatIsJustRefused() throws Exception {
		endWhileCallsAreRefused(500);
	}

	@Test
	@Tag("slow")
	@Timeout(120)
	void endOfManyRunsIsNotUndoneByCallsThatAreJustRefused() throws Exception {
		endWhileCallsAreRefused(5_000);
	}

	private void endWhileCallsAreRefused(int runs) throws Exception {
		ToolHookChain chain = new ToolHookChain(List.of((PreToolHook) (call) -> (call.tool().equals("stop"))
				? ToolDecision.abortRun("enough") : ToolDecision.approve()), List.of());
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try {
			for (int i = 0; i < runs; i++) {
				String run = "r" + i;
				assertThatExceptionOfType(RunAbortedException.class)
					.isThrownBy(() -> chain.execute(call("stop", null, run), (call) -> ToolResult.success("")));
				CountDownLatch refused = new CountDownLatch(1);
				Future<?> stubborn = thread.submit(() -> {
					for (int n = 0; n < 1_000 && isRefused(chain, call("go", null, run)); n++) {
						refused.countDown();
					}
				});
				refused.await();
				chain.endRun(run);
				stubborn.get();
				assertThat(isRefused(chain, call("go", null, run))).isFalse();
			}
		}
		finally {
			thread.shutdownNow();
		}
	}

	private static boolean isRefused(ToolHookChain chain, ToolCall call) {
		try {
			chain.execute(call, (ran) -> ToolResult.success(""));
			return false;
		}
		catch (RunAbortedException ex) {
			return true;
		}
	}

}
