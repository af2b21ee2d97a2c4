package io.agenthooks.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmUsage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RunHookChain}.
 */
class RunHookChainTests {

	private static final AgentRun RUN = AgentRun.of("Say hello", CallContext.ofSession("s1"));

	private final List<RunOutcome> outcomes = new ArrayList<>();

	private final List<RunEvent> events = new ArrayList<>();

	private final AbortedRuns abortedRuns = new AbortedRuns();

	private RunHookChain chain(PreRunHook... hooks) {
		List<HookEntry<PreRunHook>> entries = new ArrayList<>();
		for (PreRunHook hook : hooks) {
			entries.add(HookEntry.of(hook).named("h" + entries.size()));
		}
		return chain(entries);
	}

	private RunHookChain chain(List<HookEntry<PreRunHook>> entries) {
		PostRunHook recording = this.outcomes::add;
		return new RunHookChain(entries, List.of(HookEntry.of(recording)), this.events::add, this.abortedRuns);
	}

	private RunOutcome outcome() {
		assertThat(this.outcomes).hasSize(1);
		assertThat(this.events).filteredOn(RunEvent.Ended.class::isInstance)
			.containsExactly(new RunEvent.Ended(this.outcomes.get(0)));
		return this.outcomes.get(0);
	}

	@Test
	void runThatNobodyBlocksEndsWithItsResultAndItsTokens() {
		RunInProgress run = chain((begun) -> RunDecision.approve()).begin(RUN);
		assertThat(run.additionalContext()).isNull();
		run.finish("Hello", new LlmUsage(10, 2));
		RunOutcome outcome = outcome();
		assertThat(outcome.status()).isEqualTo(RunStatus.SUCCEEDED);
		assertThat(outcome.result()).isEqualTo("Hello");
		assertThat(outcome.usage()).isEqualTo(new LlmUsage(10, 2));
		assertThat(outcome.run()).isEqualTo(RUN);
	}

	@Test
	void beginWhenDeniedBlocksTheRunAndEndsIt() {
		RunHookChain chain = chain((run) -> RunDecision.deny("after\nhours"), (run) -> {
			throw new AssertionError("asked");
		});
		assertThatExceptionOfType(RunBlockedException.class).isThrownBy(() -> chain.begin(RUN))
			.withMessage("Run blocked: after hours");
		RunOutcome outcome = outcome();
		assertThat(outcome.status()).isEqualTo(RunStatus.DENIED);
		assertThat(outcome.decidedBy()).isEqualTo("h0");
		assertThat(outcome.failure()).isInstanceOf(RunBlockedException.class);
	}

	@Test
	void beginWhenHookFailsBlocksTheRun() {
		assertThatExceptionOfType(RunBlockedException.class).isThrownBy(() -> chain((run) -> {
			throw new IllegalStateException("secret");
		}).begin(RUN)).withMessage("Run blocked: The hook failed");
		assertThat(this.events).contains(new RunEvent.HookFailed(RUN, "h0", "java.lang.IllegalStateException"));
	}

	@Test
	void beginWhenHookMayFailOpenOrOnlyObservesLetsTheRunBegin() {
		HookEntry<PreRunHook> failing = HookEntry.<PreRunHook>of((run) -> {
			throw new IllegalStateException("boom");
		}).named("failing").failingOpen();
		HookEntry<PreRunHook> observing = HookEntry.<PreRunHook>of((run) -> RunDecision.deny("no"))
			.named("observing")
			.observing();
		chain(List.of(failing, observing)).begin(RUN).finish("Hello", null);
		assertThat(outcome().failedOpen()).containsExactly("failing");
		assertThat(outcome().wouldDeny()).containsExactly("observing");
	}

	@Test
	void runThatIsAbortedIsOverForModelCallsToo() {
		assertThatExceptionOfType(RunBlockedException.class)
			.isThrownBy(() -> chain((run) -> RunDecision.abortRun("enough")).begin(RUN));
		assertThat(outcome().status()).isEqualTo(RunStatus.ABORTED);
		LlmHookChain models = new LlmHookChain(List.of(), List.of(), List.of(), null, this.abortedRuns);
		LlmCall call = LlmCall.of(LlmMessage.user("Hello")).withContext(RUN.context());
		assertThatExceptionOfType(LlmCallAbortedException.class)
			.isThrownBy(() -> models.execute(call, (made) -> LlmResponse.of("Hi")));
		assertThatExceptionOfType(RunBlockedException.class).isThrownBy(() -> chain().begin(RUN));
	}

	@Test
	void additionalContextIsMarkedAsData() {
		RunInProgress run = chain((begun) -> RunDecision.approve().withAdditionalContext("It rains."),
				(begun) -> RunDecision.approve().withAdditionalContext("It is late."))
			.begin(RUN);
		assertThat(run.additionalContext())
			.matches("<additional_context id=\"[0-9a-f]{32}\">\nIt rains.\nIt is late.\n</additional_context>");
	}

	@Test
	void failWhenAHookAbortedSaysSo() {
		RunInProgress run = chain().begin(RUN);
		run.fail(new RunBlockedException("h", "no"));
		assertThat(outcome().status()).isEqualTo(RunStatus.ABORTED);
	}

	@Test
	void runEndsOnceHoweverManyThreadsEndIt() throws InterruptedException {
		List<RunOutcome> ends = new CopyOnWriteArrayList<>();
		RunInProgress run = new RunHookChain(List.of(), List.of(ends::add)).begin(RUN);
		ExecutorService threads = Executors.newFixedThreadPool(6);
		CountDownLatch start = new CountDownLatch(1);
		for (int i = 0; i < 60; i++) {
			int which = i % 3;
			threads.execute(() -> {
				try {
					start.await();
				}
				catch (InterruptedException ex) {
					return;
				}
				switch (which) {
					case 0 -> run.finish("Hello", null);
					case 1 -> run.fail(new IllegalStateException("late"));
					default -> run.cancel();
				}
			});
		}
		start.countDown();
		threads.shutdown();
		assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		assertThat(ends).hasSize(1);
	}

	@Test
	void thereAreOnlyDecisionsThatARunCanHave() {
		assertThat(RunDecision.class.getPermittedSubclasses()).extracting(Class::getSimpleName)
			.containsExactlyInAnyOrder("Approve", "Deny", "Abort");
	}

	@Test
	void promptsAndResultsAreNotTold() {
		chain().begin(AgentRun.of("pw-1", CallContext.empty())).finish("pw-2", null);
		assertThat(this.events.toString() + this.outcomes).doesNotContain("pw-1", "pw-2");
	}

}
