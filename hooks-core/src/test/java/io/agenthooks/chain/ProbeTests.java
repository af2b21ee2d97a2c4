package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallListener;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Probe}.
 */
class ProbeTests {

	private static final ToolCall CALL = ToolCall.of("run", Map.of());

	private final List<Object> seen = new ArrayList<>();

	private final ToolHookChain chain = chain();

	private ToolHookChain chain() {
		PreToolHook hook = (call) -> {
			this.seen.add(call);
			return ToolDecision.approve();
		};
		ToolCallListener listener = this.seen::add;
		return new ToolHookChain(List.of(hook), List.of(), List.<PostToolHook>of(this.seen::add), ToolApprover.nobody(),
				listener, new AbortedRuns());
	}

	private ToolResult run(ToolCall call) {
		this.seen.add("tool");
		return ToolResult.success("ran");
	}

	@Test
	void probeIsDeniedAndNobodySeesIt() {
		List<ToolResult> results = new ArrayList<>();
		assertThat(Probe.isDenied(this.chain, () -> results.add(this.chain.execute(CALL, this::run)))).isTrue();
		assertThat(Probe.isDenied(this.chain, () -> results.add(this.chain.refuse(CALL, "test", "no")))).isTrue();
		assertThat(results).hasSize(2).allMatch((result) -> !result.succeeded());
		assertThat(this.seen).isEmpty();
	}

	@Test
	void probeOfAnEmptyChainIsDenied() {
		ToolHookChain empty = new ToolHookChain(List.of(), List.of());
		assertThat(Probe.isDenied(empty, () -> empty.execute(CALL, this::run))).isTrue();
		assertThat(this.seen).isEmpty();
	}

	@Test
	void probeThatAnotherGateDeniesIsNotDeniedByThisOne() {
		ToolHookChain other = chain();
		assertThat(Probe.isDenied(this.chain, () -> other.execute(CALL, this::run))).isFalse();
		assertThat(this.seen).isEmpty();
	}

	@Test
	void probeThatAsksNoGateIsNotDenied() {
		ToolExecutor open = this::run;
		assertThat(Probe.isDenied(this.chain, () -> open.execute(CALL))).isFalse();
	}

	@Test
	void failureWithoutADenialIsNoDenial() {
		assertThatIllegalStateException().isThrownBy(() -> Probe.isDenied(this.chain, () -> {
			throw new UnsupportedOperationException("broken");
		})).withMessageContaining("UnsupportedOperationException");
		assertThat(Probe.isDenied(this.chain, () -> {
			this.chain.execute(CALL, this::run);
			throw new UnsupportedOperationException("denied");
		})).isTrue();
	}

	@Test
	void callsOfOtherThreadsAndLaterOnesAreNoProbes() throws ExecutionException, InterruptedException {
		Probe.isDenied(this.chain,
				() -> assertThat(CompletableFuture.supplyAsync(() -> this.chain.execute(CALL, this::run)).get())
					.extracting(ToolResult::content)
					.isEqualTo("ran"));
		assertThat(Probe.isUnderWay()).isFalse();
		assertThat(this.chain.execute(CALL, this::run).content()).isEqualTo("ran");
	}

	@Test
	void probeInAProbeLeavesTheOuterOne() {
		assertThat(Probe.isDenied(this.chain, () -> {
			ToolHookChain inner = chain();
			assertThat(Probe.isDenied(inner, () -> inner.execute(CALL, this::run))).isTrue();
			assertThat(Probe.isUnderWay()).isTrue();
			return this.chain.execute(CALL, this::run);
		})).isTrue();
		assertThat(this.seen).isEmpty();
	}

}
