package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunInProgress;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When the application ends, no further call of any kind begins, what has begun goes on,
 * and it is known how much of that there is.
 */
class GateShutDownTests {

	private static final ToolCall CALL = ToolCall.of("work", Map.of());

	private static final String REASON = "The application is shutting down, so no further call begins";

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	private final List<ToolCall> ran = new ArrayList<>();

	private final ToolHookChain chain = new ToolHookChain(List.of(), List.of((PostToolHook) this.outcomes::add));

	private ToolResult run(ToolCall call) {
		this.ran.add(call);
		return ToolResult.success("done");
	}

	@Test
	void executeWhenShutDownDeniesAndSaysWhy() {
		this.chain.setShutDown(true);
		assertThat(this.chain.execute(CALL, this::run).content())
			.isEqualTo("Tool call denied by hook 'shutdown': " + REASON);
		assertThat(this.ran).isEmpty();
		assertThat(this.outcomes).singleElement().satisfies((outcome) -> {
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(outcome.decidedBy()).isEqualTo("shutdown");
		});
		assertThat(this.chain.underWay()).isZero();
		this.chain.setShutDown(false);
		assertThat(this.chain.execute(CALL, this::run).succeeded()).isTrue();
	}

	@Test
	void executeWhenShutDownDeniesWithoutAnyHookAndWithHooksThatOnlyDecide() {
		for (ToolHookChain chain : List.of(new ToolHookChain(List.of(), List.of()),
				new ToolHookChain(List.of((PreToolHook) (call) -> ToolDecision.approve()), List.of()))) {
			assertThat(chain.execute(CALL, this::run).succeeded()).isTrue();
			chain.setShutDown(true);
			assertThat(chain.execute(CALL, this::run).content()).contains(REASON);
		}
		assertThat(this.ran).hasSize(2);
	}

	@Test
	void executeWhenToolsAreOffTooSaysThat() {
		this.chain.setToolsEnabled(false);
		this.chain.setShutDown(true);
		assertThat(this.chain.execute(CALL, this::run).content()).contains("kill-switch");
		this.chain.setToolsEnabled(true);
		assertThat(this.chain.execute(CALL, this::run).content()).contains(REASON);
	}

	@Test
	void callThatHasBegunGoesOnAndIsUnderWayUntilItsEndIsLearned() {
		List<Long> underWay = new ArrayList<>();
		List<ToolHookChain> chain = new ArrayList<>();
		chain.add(new ToolHookChain(List.of(),
				List.of((PostToolHook) (outcome) -> underWay.add(chain.get(0).underWay()))));
		ToolResult result = chain.get(0).execute(CALL, (call) -> {
			chain.get(0).setShutDown(true);
			underWay.add(chain.get(0).underWay());
			return ToolResult.success("done");
		});
		assertThat(result.succeeded()).isTrue();
		assertThat(underWay).containsExactly(1L, 1L);
		assertThat(chain.get(0).underWay()).isZero();
	}

	@Test
	void callThatIsBeingDecidedDoesNotRun() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch answer = new CountDownLatch(1);
		ToolHookChain chain = new ToolHookChain(List.of((PreToolHook) (call) -> {
			asked.countDown();
			await(answer);
			return ToolDecision.approve();
		}), List.of((PostToolHook) this.outcomes::add));
		CompletableFuture<ToolResult> result = CompletableFuture.supplyAsync(() -> chain.execute(CALL, this::run));
		await(asked);
		chain.setShutDown(true);
		assertThat(chain.underWay()).isOne();
		answer.countDown();
		assertThat(result.get(1, TimeUnit.MINUTES).content()).contains(REASON);
		assertThat(this.ran).isEmpty();
		assertThat(chain.underWay()).isZero();
	}

	/**
	 * Nobody has counted it, so nobody would wait for its end.
	 */
	@Test
	void callThatCameWhenShutDownDoesNotRunIfTheGateOpensBeforeItIsDecided() {
		List<ToolHookChain> chain = new ArrayList<>();
		chain.add(new ToolHookChain(List.of(), List.of(), List.of((PostToolHook) this.outcomes::add),
				ToolApprover.nobody(), (event) -> {
					if (event instanceof ToolCallEvent.Started) {
						chain.get(0).setShutDown(false);
					}
				}, new AbortedRuns()));
		chain.get(0).setShutDown(true);
		assertThat(chain.get(0).execute(CALL, this::run).content()).contains(REASON);
		assertThat(this.ran).isEmpty();
		assertThat(this.outcomes).extracting(ToolOutcome::decidedBy).containsExactly("shutdown");
		assertThat(chain.get(0).execute(CALL, this::run).succeeded()).isTrue();
		assertThat(chain.get(0).underWay()).isZero();
	}

	/**
	 * While others come, are counted and denied, nobody reads a number that is too small.
	 */
	@Test
	void callIsUnderWayWhileManyOthersComeTooLate() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of((PostToolHook) (outcome) -> {
		}));
		chain.execute(CALL, (call) -> {
			List<CompletableFuture<Void>> others = new ArrayList<>();
			AtomicBoolean read = new AtomicBoolean();
			for (int i = 0; i < 4; i++) {
				others.add(CompletableFuture.runAsync(() -> {
					while (!read.get()) {
						chain.setShutDown(true);
						chain.execute(CALL, (late) -> ToolResult.success("done"));
						chain.setShutDown(false);
					}
				}, (task) -> new Thread(task).start()));
			}
			for (int i = 0; i < 20_000; i++) {
				assertThat(chain.underWay()).isPositive();
			}
			read.set(true);
			others.forEach(CompletableFuture::join);
			return ToolResult.success("done");
		});
		assertThat(chain.underWay()).isZero();
	}

	@Test
	void callsThatEndInAnyWayAreNotUnderWay() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.chain.execute(CALL, (call) -> {
			throw new IllegalStateException();
		}));
		this.chain.refuse(CALL, "arguments", "no");
		this.chain.execute(CALL, (call) -> this.chain.execute(ToolCall.of("inner", Map.of()), this::run));
		assertThat(this.outcomes).hasSize(4);
		assertThat(this.chain.underWay()).isZero();
	}

	@Test
	void questionsToModelsThatHaveBegunGoOnAndNoFurtherBegins() {
		List<LlmOutcome> ended = new ArrayList<>();
		LlmHookChain chain = new LlmHookChain(List.of(), List.of(), List.of((PostLlmHook) ended::add));
		LlmCallInProgress begun = chain.begin(LlmCall.of());
		chain.setShutDown(true);
		assertThat(chain.underWay()).isOne();
		assertThat(chain.execute(LlmCall.of(), (call) -> {
			throw new AssertionError("asked");
		}).text()).contains(REASON);
		begun.finish(LlmResponse.of("Hello"));
		assertThat(chain.underWay()).isZero();
		assertThat(ended).extracting(LlmOutcome::decidedBy).containsExactly("shutdown", null);
	}

	@Test
	void runsThatHaveBegunGoOnAndNoFurtherBegins() {
		List<RunOutcome> ended = new ArrayList<>();
		RunHookChain chain = new RunHookChain(List.of(), List.of((PostRunHook) ended::add));
		RunInProgress begun = chain.begin(AgentRun.of("Go", CallContext.empty()));
		chain.setShutDown(true);
		assertThat(chain.underWay()).isOne();
		assertThatExceptionOfType(RunBlockedException.class)
			.isThrownBy(() -> chain.begin(AgentRun.of("Go", CallContext.empty())))
			.withMessageContaining(REASON);
		begun.cancel();
		assertThat(chain.underWay()).isZero();
		assertThat(ended).extracting(RunOutcome::decidedBy).containsExactly("shutdown", null);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
