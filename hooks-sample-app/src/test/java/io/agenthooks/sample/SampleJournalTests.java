package io.agenthooks.sample;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.agenthooks.toolcall.HookedToolExecutor;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SampleJournal}.
 */
class SampleJournalTests {

	private final ToolExecutor echo = (call) -> ToolResult.success(call.tool());

	private final SampleJournal journal = new SampleJournal();

	@Test
	void followGivesOutcomeOfChain() {
		ToolOutcome outcome = this.journal.follow(call("t"),
				guarded((call) -> ToolDecision.modify(Map.of("a", 1)), this.echo));
		assertThat(outcome.effective().arguments()).containsEntry("a", 1);
		assertThat(outcome.status()).isEqualTo(ToolCallStatus.SUCCEEDED);
		assertThat(this.journal.last()).containsExactly(outcome);
	}

	@Test
	void followWhenHookAbortsGivesOutcome() {
		ToolOutcome outcome = this.journal.follow(call("t"),
				guarded((call) -> ToolDecision.abortTurn("enough"), this.echo));
		assertThat(outcome.status()).isEqualTo(ToolCallStatus.ABORTED);
		assertThat(ToolCallReport.of(outcome).content()).isEqualTo("Aborted: enough");
		assertThat(ToolCallReport.of(outcome).reason()).isEqualTo("enough");
	}

	@Test
	void followWhenToolThrowsGivesOutcomeWithoutItsMessage() {
		ToolOutcome outcome = this.journal.follow(call("t"), guarded((call) -> ToolDecision.approve(), (call) -> {
			throw new IllegalStateException("secret");
		}));
		assertThat(outcome.status()).isEqualTo(ToolCallStatus.FAILED);
		assertThat(ToolCallReport.of(outcome).content())
			.isEqualTo("The tool failed with java.lang.IllegalStateException");
	}

	@Test
	void followWhenHooksAreOffTellsWhatToolDid() {
		ToolOutcome succeeded = this.journal.follow(call("t"), this.echo);
		ToolOutcome failed = this.journal.follow(call("t"), (call) -> ToolResult.failure("no"));
		ToolOutcome thrown = this.journal.follow(call("t"), (call) -> {
			throw new IllegalStateException("boom");
		});
		assertThat(ToolCallReport.of(succeeded)).extracting("status", "verdict", "decidedBy", "reason", "content")
			.containsExactly("succeeded", "approve", null, null, "t");
		assertThat(failed.status()).isEqualTo(ToolCallStatus.FAILED);
		assertThat(thrown.status()).isEqualTo(ToolCallStatus.FAILED);
		assertThat(this.journal.last()).containsExactly(thrown, failed, succeeded);
	}

	@Test
	void reportWhenHookFailedOpenSaysSo() {
		PreToolHook broken = PreToolHook.failOpen(PreToolHook.named("approvals", (call) -> {
			throw new IllegalStateException("boom");
		}));
		ToolOutcome outcome = this.journal.follow(call("t"), guarded(broken, this.echo));
		assertThat(ToolCallReport.of(outcome).reason()).isEqualTo("Failed open: approvals");
		assertThat(ToolCallReport.of(outcome).verdict()).isEqualTo("approve");
	}

	@Test
	void lastKeepsTheLastHundredCalls() {
		ToolExecutor executor = guarded((call) -> ToolDecision.approve(), this.echo);
		IntStream.range(0, 150).forEach((i) -> this.journal.follow(call("t" + i), executor));
		assertThat(this.journal.last()).hasSize(SampleJournal.CAPACITY);
		assertThat(this.journal.last().get(0).effective().tool()).isEqualTo("t149");
		assertThat(this.journal.last().get(99).effective().tool()).isEqualTo("t50");
	}

	@Test
	void followWhenManyCallsRunAtOnceGivesEachItsOwnOutcome() {
		int calls = 150;
		CyclicBarrier together = new CyclicBarrier(calls);
		ToolExecutor executor = guarded((call) -> ToolDecision.approve(), (call) -> {
			await(together);
			return ToolResult.success(call.tool());
		});
		ExecutorService threads = Executors.newFixedThreadPool(calls);
		try {
			List<CompletableFuture<ToolOutcome>> outcomes = IntStream.range(0, calls)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> this.journal.follow(call("t" + i), executor),
						threads))
				.toList();
			for (int i = 0; i < calls; i++) {
				assertThat(ToolCallReport.of(outcomes.get(i).orTimeout(1, TimeUnit.MINUTES).join()).content())
					.isEqualTo("t" + i);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private ToolExecutor guarded(PreToolHook hook, ToolExecutor executor) {
		return new HookedToolExecutor(executor, new ToolHookChain(List.of(hook), List.of(this.journal)));
	}

	private static ToolCall call(String tool) {
		return ToolCall.of(tool, Map.of());
	}

}
