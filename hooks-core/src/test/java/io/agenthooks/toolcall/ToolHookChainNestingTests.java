package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import io.agenthooks.chain.Nesting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ToolHookChain}: calls inside calls.
 */
class ToolHookChainNestingTests {

	private static final ToolCall CALL = GuardedTool.CALL;

	private static final ToolCall OTHER = ToolCall.of("other", Map.of());

	private final List<ToolCall> asked = new ArrayList<>();

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	private final ToolHookChain chain = new ToolHookChain(List.of((PreToolHook) this::approve),
			List.of((PostToolHook) this.outcomes::add));

	private ToolDecision approve(ToolCall call) {
		this.asked.add(call);
		return ToolDecision.approve();
	}

	private ToolResult succeed(ToolCall call) {
		return ToolResult.success("ran " + call.tool());
	}

	@Test // X07
	void executeWhenExecutorDelegatesTheCallDecidesOnce() {
		ToolExecutor inner = new HookedToolExecutor(this::succeed, this.chain);
		ToolExecutor outer = new HookedToolExecutor(inner, this.chain);
		assertThat(outer.execute(CALL).content()).isEqualTo("ran run_command");
		assertThat(this.asked).hasSize(1);
		assertThat(this.outcomes).hasSize(1);
	}

	@Test // X07
	void executeWhenInnerExecutorIsCalledAloneDecides() {
		ToolExecutor inner = new HookedToolExecutor(this::succeed, this.chain);
		ToolExecutor outer = new HookedToolExecutor(inner, this.chain);
		outer.execute(CALL);
		inner.execute(CALL);
		assertThat(this.asked).hasSize(2);
	}

	@Test // X07
	void executeWhenExecutorDelegatesThreeTimesOverDecidesOnce() {
		ToolExecutor executor = this::succeed;
		for (int i = 0; i < 3; i++) {
			executor = new HookedToolExecutor(executor, this.chain);
		}
		executor.execute(CALL);
		assertThat(this.asked).hasSize(1);
		assertThat(this.outcomes).hasSize(1);
	}

	@Test
	void executeWhenToolMakesAnEqualCallDecidesThatToo() {
		ToolExecutor inner = new HookedToolExecutor(this::succeed, this.chain);
		this.chain.execute(CALL, (call) -> inner.execute(call.withArguments(new HashMap<>(call.arguments()))));
		assertThat(this.asked).hasSize(2);
		assertThat(this.asked.get(1)).isEqualTo(CALL);
	}

	@Test
	void executeWhenToolDelegatesTheCallAgainDecidesAgain() {
		this.chain.execute(CALL, (call) -> {
			this.chain.execute(call, this::succeed);
			return this.chain.execute(call, this::succeed);
		});
		assertThat(this.asked).hasSize(2);
		assertThat(this.outcomes).hasSize(2);
	}

	@Test
	void executeWhenDelegateDelegatesTheCallAgainDecidesAgain() {
		this.chain.execute(CALL, (call) -> this.chain.execute(call, (delegated) -> {
			this.chain.execute(delegated, this::succeed);
			return this.chain.execute(delegated, this::succeed);
		}));
		assertThat(this.asked).hasSize(2);
	}

	@Test
	void executeWhenDelegateReturnsNothingItIsNotAskedAgain() {
		List<ToolCall> ran = new ArrayList<>();
		ToolExecutor nothing = nothing(ran);
		ToolResult result = this.chain.execute(CALL, (call) -> this.chain.execute(call, nothing));
		assertThat(result.succeeded()).isFalse();
		assertThat(this.asked).hasSize(1);
		assertThat(ran).hasSize(1);
	}

	@SuppressWarnings("NullAway") // what a tool must not do
	private static ToolExecutor nothing(List<ToolCall> ran) {
		return (call) -> {
			ran.add(call);
			return null;
		};
	}

	/**
	 * One approved call is inside of its tool, while another thread makes the same: by
	 * the same object, and by an equal one.
	 */
	@Test
	void executeWhenAnotherThreadMakesTheCallMeanwhileDecidesThatToo() {
		for (ToolCall same : List.of(CALL, CALL.withArguments(new HashMap<>(CALL.arguments())))) {
			List<ToolCall> ran = new CopyOnWriteArrayList<>();
			AtomicInteger count = new AtomicInteger();
			ToolHookChain chain = new ToolHookChain(List.of((PreToolHook) (call) -> (count.getAndIncrement() == 0)
					? ToolDecision.approve() : ToolDecision.deny("once is enough")), List.of());
			chain.execute(CALL, (call) -> {
				ran.add(call);
				ToolResult other = CompletableFuture.supplyAsync(() -> chain.execute(same, (another) -> {
					ran.add(another);
					return ToolResult.success("");
				})).orTimeout(1, TimeUnit.MINUTES).join();
				assertThat(other.succeeded()).isFalse();
				return ToolResult.success("");
			});
			assertThat(ran).hasSize(1);
		}
	}

	@Test // X07
	void executeWhenChangedCallIsDelegatedDecidesOnce() {
		GuardedTool tool = new GuardedTool();
		ToolHookChain chain = tool.chain(Hooks.changingCommandTo("pwd"), this::approve);
		chain.execute(CALL, (call) -> chain.execute(call, tool::run));
		assertThat(this.asked).hasSize(1);
		assertThat(tool.ranArguments()).isEqualTo(Map.of("command", "pwd"));
	}

	@Test
	void executeWhenToolPassesTheRequestedCallInPlaceOfTheChangedOneDecidesAgain() {
		GuardedTool tool = new GuardedTool();
		ToolHookChain chain = tool.chain(Hooks.changingCommandTo("pwd"), this::approve);
		chain.execute(CALL, (call) -> chain.execute(CALL, tool::run));
		assertThat(this.asked).hasSize(2);
	}

	@Test
	void executeWhenToolMakesAnotherCallDecidesThatToo() {
		for (ToolCall other : List.of(OTHER, CALL.withArguments(Map.of("command", "rm")),
				ToolCall.of("another id", CALL.tool(), Map.of("command", "ls"), CALL.context()), ToolCall.of(CALL.id(),
						CALL.tool(), Map.of("command", "ls"), CALL.context().withSessionId("another")))) {
			this.asked.clear();
			this.chain.execute(CALL, (call) -> this.chain.execute(other, this::succeed));
			assertThat(this.asked).containsExactly(CALL, other);
		}
	}

	@Test
	void executeWhenToolMakesAnotherCallAndThenDelegatesDecidesEachOnce() {
		this.chain.execute(CALL, (call) -> {
			this.chain.execute(OTHER, this::succeed);
			return this.chain.execute(call, this::succeed);
		});
		assertThat(this.asked).containsExactly(CALL, OTHER);
	}

	@Test
	void executeWhenCallInsideToolMakesTheOuterCallDecidesAgain() {
		this.chain.execute(CALL,
				(call) -> this.chain.execute(OTHER, (other) -> this.chain.execute(CALL, this::succeed)));
		assertThat(this.asked).containsExactly(CALL, OTHER, CALL);
	}

	@Test
	void executeWhenAnotherChainGuardsTheInnerExecutorItDecidesToo() {
		ToolHookChain stricter = new ToolHookChain(List.of((PreToolHook) (call) -> ToolDecision.deny("no")), List.of());
		ToolResult result = this.chain.execute(CALL, (call) -> stricter.execute(call, this::succeed));
		assertThat(result.succeeded()).isFalse();
	}

	@Test
	void executeWhenToolHandsTheCallToAnotherThreadDecidesAgain() {
		this.chain.execute(CALL,
				(call) -> CompletableFuture.supplyAsync(() -> this.chain.execute(call, this::succeed))
					.orTimeout(1, TimeUnit.MINUTES)
					.join());
		assertThat(this.asked).hasSize(2);
	}

	@Test
	void executeWhenToolHasEndedApprovalHasEnded() {
		this.chain.execute(CALL, this::succeed);
		this.chain.execute(CALL, this::succeed);
		assertThat(this.asked).hasSize(2);
		assertThat(Nesting.ofThisThread().calls()).isEmpty();
	}

	@Test
	void executeWhenToolThrewApprovalHasEnded() {
		assertThatIllegalStateException().isThrownBy(() -> this.chain.execute(CALL, (call) -> {
			throw new IllegalStateException();
		}));
		this.chain.execute(CALL, this::succeed);
		assertThat(this.asked).hasSize(2);
		assertThat(Nesting.ofThisThread().calls()).isEmpty();
	}

	@Test
	void executeWhenPostCallHookMakesTheSameCallDecidesAgain() {
		GuardedTool tool = new GuardedTool();
		List<ToolHookChain> self = new ArrayList<>();
		self.add(new ToolHookChain(List.of((PreToolHook) this::approve), List.of((PostToolHook) (outcome) -> {
			if (this.asked.size() == 1) {
				self.get(0).execute(outcome.effective(), tool::run);
			}
		})));
		self.get(0).execute(CALL, tool::run);
		assertThat(this.asked).hasSize(2);
		assertThat(tool.ran).hasSize(2);
	}

	@Test
	void executeWhenHookOfAnInnerCallMakesTheApprovedCallDecidesAgain() {
		List<ToolHookChain> self = new ArrayList<>();
		self.add(new ToolHookChain(List.of((PreToolHook) (call) -> {
			this.asked.add(call);
			if (call.equals(OTHER)) {
				self.get(0).execute(CALL, this::succeed);
			}
			return ToolDecision.approve();
		}), List.of()));
		self.get(0).execute(CALL, (call) -> self.get(0).execute(OTHER, this::succeed));
		assertThat(this.asked).containsExactly(CALL, OTHER, CALL);
	}

	@Test // K11
	void executeWhenHookCallsToolInnerCallIsGuarded() {
		GuardedTool tool = new GuardedTool();
		List<ToolHookChain> self = new ArrayList<>();
		self.add(tool.chain((call) -> {
			if (call.equals(OTHER)) {
				return ToolDecision.deny("no");
			}
			assertThat(self.get(0).execute(OTHER, tool::run).succeeded()).isFalse();
			return ToolDecision.approve();
		}));
		assertThat(self.get(0).execute(CALL, tool::run).succeeded()).isTrue();
		assertThat(tool.ran).containsExactly(CALL);
		assertThat(tool.outcomes).extracting(ToolOutcome::status)
			.containsExactly(ToolCallStatus.DENIED, ToolCallStatus.SUCCEEDED);
	}

	@Test // K11
	void executeWhenHookCallsItselfForEverDeniesTheNinth() {
		GuardedTool tool = new GuardedTool();
		List<ToolHookChain> self = new ArrayList<>();
		self.add(tool.chain((call) -> {
			this.asked.add(call);
			return (self.get(0).execute(OTHER, tool::run).succeeded()) ? ToolDecision.approve()
					: ToolDecision.deny("the inner call was denied");
		}));
		assertThat(self.get(0).execute(CALL, tool::run).succeeded()).isFalse();
		assertThat(this.asked).hasSize(8);
		assertThat(tool.ran).isEmpty();
		assertThat(tool.outcomes).hasSize(9).first().satisfies((innermost) -> {
			assertThat(innermost.status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(innermost.decidedBy()).isEqualTo("nesting-limit");
		});
	}

	@Test // K11
	void executeWhenToolCallsItselfForEverDeniesTheNinth() {
		GuardedTool tool = new GuardedTool();
		ToolHookChain chain = tool.chain();
		tool.withTool((call) -> chain.execute(ToolCall.of("again", Map.of()), tool::run));
		assertThat(chain.execute(CALL, tool::run).content()).contains("nesting-limit");
		assertThat(tool.ran).hasSize(8);
		assertThat(tool.outcomes).hasSize(9);
	}

	@Test // K11
	void executeWhenPostCallHookCallsToolsForEverEnds() {
		GuardedTool tool = new GuardedTool();
		List<ToolHookChain> self = new ArrayList<>();
		PostToolHook endless = (outcome) -> {
			this.outcomes.add(outcome);
			self.get(0).execute(OTHER, tool::run);
		};
		self.add(new ToolHookChain(List.of(), List.of(endless, endless)));
		assertThat(self.get(0).execute(CALL, tool::run).succeeded()).isTrue();
		assertThat(tool.ran).hasSize(255);
	}

	@Test // K11
	@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
	void refuseWhenPostCallHookMakesRefusedCallsForEverEnds() {
		List<ToolHookChain> self = new ArrayList<>();
		PostToolHook endless = (outcome) -> {
			this.outcomes.add(outcome);
			self.get(0).refuse(OTHER, "unknown-tool", "no");
		};
		self.add(new ToolHookChain(List.of(), List.of(endless, endless)));
		assertThat(self.get(0).refuse(CALL, "unknown-tool", "no").succeeded()).isFalse();
		assertThat(this.outcomes).hasSizeLessThan(2_000);
		assertThat(Nesting.ofThisThread().isTooDeep()).isFalse();
	}

	@Test // K11
	void executeWhenNestedTooDeepOnceThreadIsAsBefore() {
		GuardedTool tool = new GuardedTool();
		ToolHookChain chain = tool.chain();
		tool.withTool((call) -> chain.execute(ToolCall.of("again", Map.of()), tool::run));
		for (int i = 1; i <= 3; i++) {
			chain.execute(CALL, tool::run);
			assertThat(tool.ran).hasSize(8 * i);
			assertThat(Nesting.ofThisThread().isTooDeep()).isFalse();
		}
	}

	@Test
	void executeWhenExecutorWithoutHooksIsInsideNothingIsCounted() {
		ToolHookChain empty = new ToolHookChain(List.of(), List.of());
		ToolExecutor executor = this::succeed;
		for (int i = 0; i < 20; i++) {
			executor = new HookedToolExecutor(executor, empty);
		}
		assertThat(executor.execute(CALL).succeeded()).isTrue();
	}

}
