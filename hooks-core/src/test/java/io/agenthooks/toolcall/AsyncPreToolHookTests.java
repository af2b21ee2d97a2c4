package io.agenthooks.toolcall;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link AsyncPreToolHook}.
 */
@Timeout(10)
class AsyncPreToolHookTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final Duration SHORT = Duration.ofMillis(20);

	private final GuardedTool tool = new GuardedTool();

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	private static PreToolHook async(Duration timeout,
			Function<ToolCall, ? extends CompletionStage<ToolDecision>> hook) {
		return PreToolHook.async(timeout, hook);
	}

	static Stream<ToolDecision> decisions() {
		return Stream.of(ToolDecision.approve(), ToolDecision.deny("no"), ToolDecision.ask("sure?"),
				ToolDecision.abortTurn("stop"), ToolDecision.failedOpen("down"));
	}

	@ParameterizedTest
	@MethodSource("decisions")
	void preCallGivesTheDecisionOfAnotherThread(ToolDecision decision) {
		PreToolHook hook = async(LONG, (call) -> CompletableFuture.supplyAsync(() -> decision));
		assertThat(hook.preCall(GuardedTool.CALL)).isSameAs(decision);
	}

	@Test
	void preCallWhenDecisionIsThereAlreadyGivesIt() {
		this.tool.execute(async(LONG, (call) -> CompletableFuture.completedStage(ToolDecision.deny("no"))));
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decidedBy()).isEqualTo(ToolHook.UNNAMED);
	}

	@Test // K05
	void preCallWhenDecisionNeverComesDeniesAndCancelsIt() {
		CompletableFuture<ToolDecision> never = new CompletableFuture<>();
		this.tool.execute(async(SHORT, (call) -> never));
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decision()).isEqualTo(ToolDecision.deny("The hook failed"));
		assertThat(never).isCancelled();
	}

	@Test // K05
	void preCallWhenDecisionComesTooLateChangesNothing() {
		CompletableFuture<ToolDecision> late = new CompletableFuture<>();
		this.tool.execute(async(SHORT, (call) -> late));
		assertThat(late.complete(ToolDecision.approve())).isFalse();
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void preCallSaysHowLongItWaited() {
		assertThatIllegalStateException()
			.isThrownBy(() -> async(SHORT, (call) -> new CompletableFuture<>()).preCall(GuardedTool.CALL))
			.withMessage("No decision within 20 ms");
	}

	@Test
	void preCallWhenTimeIsOverMayFailOpen() {
		this.tool.execute(PreToolHook.failOpen(async(SHORT, (call) -> new CompletableFuture<>())));
		assertThat(this.tool.ran).hasSize(1);
		assertThat(this.tool.outcome().failedOpen()).hasSize(1);
	}

	@Test
	@SuppressWarnings("NullAway")
	void preCallWhenDecisionIsMissingDenies() {
		for (PreToolHook hook : new PreToolHook[] { async(LONG, (call) -> CompletableFuture.completedFuture(null)),
				async(LONG, (call) -> null) }) {
			this.tool.execute(hook);
		}
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcomes).extracting(ToolOutcome::status)
			.containsExactly(ToolCallStatus.DENIED, ToolCallStatus.DENIED);
	}

	@Test
	void preCallWhenHookThrowsBeforeItStartsDenies() {
		this.tool.execute(async(LONG, (call) -> {
			throw new IllegalStateException();
		}));
		assertThat(this.tool.ran).isEmpty();
	}

	static Stream<Throwable> failures() {
		return Stream.of(new IllegalStateException("boom"), new Exception("boom"), new StackOverflowError(),
				new NoClassDefFoundError());
	}

	@ParameterizedTest
	@MethodSource("failures")
	void preCallWhenDecisionFailsDenies(Throwable ex) {
		this.tool.execute(async(LONG, (call) -> CompletableFuture.failedFuture(ex)));
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@ParameterizedTest
	@MethodSource("failures")
	void preCallWhenDecisionFailsOnlyAnExceptionFailsOpen(Throwable ex) {
		this.tool.execute(PreToolHook.failOpen(async(LONG, (call) -> CompletableFuture.failedFuture(ex))));
		assertThat(this.tool.ran).hasSize((ex instanceof Error) ? 0 : 1);
	}

	@Test
	void preCallThrowsWhatTheHookThrew() {
		IllegalStateException failure = new IllegalStateException("boom");
		PreToolHook hook = async(LONG, (call) -> CompletableFuture.supplyAsync(() -> {
			throw failure;
		}));
		assertThatIllegalStateException().isThrownBy(() -> hook.preCall(GuardedTool.CALL)).isSameAs(failure);
	}

	@Test // K03
	void preCallWhenVirtualMachineFailsElsewhereItReachesTheCaller() {
		OutOfMemoryError error = new OutOfMemoryError("simulated");
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> this.tool.execute(async(LONG, (call) -> CompletableFuture.failedFuture(error))))
			.isSameAs(error);
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void preCallWhenDecisionIsCancelledDenies() {
		CompletableFuture<ToolDecision> cancelled = new CompletableFuture<>();
		cancelled.cancel(true);
		this.tool.execute(async(LONG, (call) -> cancelled));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void preCallWhenCallerIsInterruptedDeniesStaysInterruptedAndCancels() throws Exception {
		CompletableFuture<ToolDecision> never = new CompletableFuture<>();
		CountDownLatch waiting = new CountDownLatch(1);
		ToolHookChain chain = this.tool.chain(PreToolHook.failOpen(async(LONG, (call) -> {
			waiting.countDown();
			return never;
		})));
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			chain.execute(GuardedTool.CALL, this.tool::run);
			interrupted.complete(Thread.currentThread().isInterrupted());
		});
		caller.start();
		waiting.await();
		caller.interrupt();
		assertThat(interrupted.get()).isTrue();
		assertThat(never).isCancelled();
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().failedOpen()).isEmpty();
	}

	@Test
	void preCallDoesNotCancelADecisionThatCame() {
		CompletableFuture<ToolDecision> decision = CompletableFuture.completedFuture(ToolDecision.approve());
		async(LONG, (call) -> decision).preCall(GuardedTool.CALL);
		assertThat(decision).isCompletedWithValue(ToolDecision.approve());
	}

	@Test
	void preCallWhenHookCallsToolsElsewhereTheyAreGuarded() {
		ToolCall other = ToolCall.of("other", Map.of());
		ToolHookChain[] self = new ToolHookChain[1];
		self[0] = this.tool.chain(async(LONG, (call) -> CompletableFuture.supplyAsync(() -> (call.equals(other))
				? ToolDecision.deny("no") : ToolDecision.deny(self[0].execute(other, this.tool::run).content()))));
		assertThat(self[0].execute(GuardedTool.CALL, this.tool::run).content()).endsWith("'hook': no");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void asyncWaitsAsLongAsAnybodyLikes() {
		PreToolHook hook = async(Duration.ofSeconds(Long.MAX_VALUE),
				(call) -> CompletableFuture.supplyAsync(ToolDecision::approve));
		assertThat(hook.preCall(GuardedTool.CALL)).isEqualTo(ToolDecision.approve());
	}

	@Test
	void asyncHookIsNoPolicyButMayBeNamed() {
		PreToolHook hook = async(LONG, (call) -> CompletableFuture.completedFuture(ToolDecision.approve()));
		assertThat(hook.isRepeatable()).isFalse();
		assertThat(PreToolHook.named("remote", hook).name()).isEqualTo("remote");
	}

	@Test
	@SuppressWarnings("NullAway")
	void asyncNeedsATimeoutAndAHook() {
		Function<ToolCall, CompletionStage<ToolDecision>> hook = (call) -> new CompletableFuture<>();
		assertThatIllegalArgumentException().isThrownBy(() -> async(Duration.ZERO, hook));
		assertThatIllegalArgumentException().isThrownBy(() -> async(Duration.ofMillis(-1), hook));
		assertThatNullPointerException().isThrownBy(() -> async(null, hook));
		assertThatNullPointerException().isThrownBy(() -> async(LONG, null));
	}

}
