package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.AbortedRuns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link ToolHookChain}: tools switched off and on, and hooks replaced, while
 * calls go on.
 */
class ToolHookChainSwitchTests {

	private static final ToolCall CALL = GuardedTool.CALL;

	private final GuardedTool tool = new GuardedTool();

	private final List<String> asked = new ArrayList<>();

	private PreToolHook asked(String name) {
		return PreToolHook.named(name, (call) -> {
			this.asked.add(name);
			return ToolDecision.approve();
		});
	}

	@Test
	void toolsAreEnabledUnlessSwitchedOff() {
		ToolHookChain chain = this.tool.chain();
		assertThat(chain.isToolsEnabled()).isTrue();
		chain.setToolsEnabled(false);
		assertThat(chain.isToolsEnabled()).isFalse();
	}

	@Test
	void executeWhenToolsAreOffDeniesWithoutAskingAnybody() {
		ToolHookChain chain = this.tool.withApprover((call, question) -> {
			throw new AssertionError("asked");
		}).withResults((call, result) -> {
			throw new AssertionError("asked");
		}).chain(asked("hook"), (call) -> ToolDecision.ask("Really?"));
		chain.setToolsEnabled(false);
		assertThat(chain.execute(CALL, this.tool::run))
			.isEqualTo(ToolResult.failure("Tool call denied by hook 'kill-switch': Tools are switched off"));
		assertThat(this.asked).isEmpty();
		assertThat(this.tool.ran).isEmpty();
		ToolOutcome outcome = this.tool.outcome();
		assertThat(outcome.status()).isEqualTo(ToolCallStatus.DISABLED);
		assertThat(outcome.decidedBy()).isEqualTo("kill-switch");
		assertThat(outcome.decision()).isEqualTo(ToolDecision.deny("Tools are switched off"));
	}

	@Test
	void executeWhenToolsAreOffDeniesAlsoWithoutAnyHook() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		chain.setToolsEnabled(false);
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isFalse();
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenToolsAreOnAgainRunsThem() {
		ToolHookChain chain = this.tool.chain();
		chain.setToolsEnabled(false);
		chain.execute(CALL, this.tool::run);
		chain.setToolsEnabled(true);
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isTrue();
		assertThat(this.tool.outcomes).extracting(ToolOutcome::status)
			.containsExactly(ToolCallStatus.DISABLED, ToolCallStatus.SUCCEEDED);
	}

	@Test
	void executeWhenSomeCallsAreOffDeniesTheseAndAsksAboutOthers() {
		ToolHookChain chain = this.tool.chain(asked("hook"));
		chain.setToolsOff((call) -> (call.tool().equals(CALL.tool())) ? "Not now" : null);
		assertThat(chain.isToolsEnabled()).isTrue();
		assertThat(chain.execute(CALL, this.tool::run))
			.isEqualTo(ToolResult.failure("Tool call denied by hook 'kill-switch': Not now"));
		assertThat(this.asked).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DISABLED);
		assertThat(chain.execute(ToolCall.of("other", Map.of()), this.tool::run).succeeded()).isTrue();
		chain.setToolsOff(null);
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isTrue();
	}

	@Test
	void executeWhenSomeCallsAreOffDeniesTheseAlsoWithoutAnyHook() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		chain.setToolsOff((call) -> (call.tool().equals(CALL.tool())) ? "Not now" : null);
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isFalse();
		assertThat(chain.explain(CALL, this.tool::run, false).decidedBy()).isEqualTo("kill-switch");
		assertThat(this.tool.ran).isEmpty();
		assertThat(chain.execute(ToolCall.of("other", Map.of()), this.tool::run).succeeded()).isTrue();
	}

	@Test
	void executeWhenAHookMakesACallOneThatIsOffDenies() {
		ToolHookChain chain = this.tool.chain((call) -> ToolDecision.modify(Map.of("command", "pwd")));
		chain.setToolsOff((call) -> ("pwd".equals(call.arguments().get("command"))) ? "Not now" : null);
		assertThat(chain.execute(CALL, this.tool::run).content()).contains("Not now");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenItCannotBeFoundOutWhetherACallIsOffDenies() {
		ToolHookChain chain = this.tool.chain();
		chain.setToolsOff((call) -> {
			throw new IllegalStateException("broken");
		});
		assertThat(chain.execute(CALL, this.tool::run).content()).contains("kill-switch").doesNotContain("broken");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	@Timeout(10)
	void executeWhenToolsAreSwitchedOffWhileAHookWaitsDenies() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		ToolHookChain chain = this.tool.chain((call) -> {
			waiting.countDown();
			await(go);
			return ToolDecision.modify(Map.of("command", "pwd"));
		});
		CompletableFuture<ToolResult> result = CompletableFuture.supplyAsync(() -> chain.execute(CALL, this.tool::run));
		waiting.await();
		chain.setToolsEnabled(false);
		go.countDown();
		assertThat(result.get().content()).contains("kill-switch");
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DISABLED);
	}

	@Test
	@Timeout(10)
	void executeWhenToolsAreSwitchedOffWhileAPersonIsAskedDenies() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		ToolHookChain chain = this.tool.withApprover((call, question) -> {
			waiting.countDown();
			await(go);
			return ToolDecision.approve();
		}).chain((call) -> ToolDecision.ask("Really?"));
		CompletableFuture<ToolResult> result = CompletableFuture.supplyAsync(() -> chain.execute(CALL, this.tool::run));
		waiting.await();
		chain.setToolsEnabled(false);
		go.countDown();
		assertThat(result.get().succeeded()).isFalse();
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DISABLED);
	}

	@Test
	void executeWhenToolsAreSwitchedOffWhileToolRunsGivesItsResult() {
		List<ToolHookChain> self = new ArrayList<>();
		self.add(this.tool.chain());
		this.tool.withTool((call) -> {
			self.get(0).setToolsEnabled(false);
			return ToolResult.success("done");
		});
		assertThat(self.get(0).execute(CALL, this.tool::run).content()).isEqualTo("done");
	}

	@Test
	void executeWhenToolsAreSwitchedOffWhileToolRunsItsOwnCallsAreDenied() {
		List<ToolHookChain> self = new ArrayList<>();
		self.add(this.tool.chain());
		this.tool.withTool((call) -> {
			self.get(0).setToolsEnabled(false);
			return self.get(0).execute(ToolCall.of("other", Map.of()), this.tool::run);
		});
		assertThat(self.get(0).execute(CALL, this.tool::run).content()).contains("kill-switch");
		assertThat(this.tool.ran).containsExactly(CALL);
	}

	@Test
	void replaceHooksPutsAllOthersIntoTheirPlace() {
		List<String> told = new ArrayList<>();
		ToolHookChain chain = new ToolHookChain(List.of(asked("old")),
				List.of(ToolResultHook.replacing((call, result) -> ToolResult.success("old"))),
				List.of((PostToolHook) (outcome) -> told.add("old")), ToolApprover.nobody(), null, new AbortedRuns());
		ReplacedHooks.replace(chain, List.of(asked("new")),
				List.of(ToolResultHook.replacing((call, result) -> ToolResult.success("new"))),
				List.of((PostToolHook) (outcome) -> told.add("new")));
		assertThat(chain.execute(CALL, this.tool::run).content()).isEqualTo("new");
		assertThat(this.asked).containsExactly("new");
		assertThat(told).containsExactly("new");
	}

	@Test
	void replaceHooksOfAnEmptyChainGuardsFromThenOn() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isTrue();
		ReplacedHooks.replace(chain, List.of((PreToolHook) (call) -> ToolDecision.deny("no")), List.of(), List.of());
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isFalse();
		assertThat(this.tool.ran).hasSize(1);
	}

	@Test
	void replaceHooksForgetsForWhichToolsTheOldOnesWere() {
		ToolHookChain chain = new ToolHookChain(
				List.of(PreToolHook.forTools("other"::equals, (call) -> ToolDecision.deny("no"))), List.of());
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isTrue();
		ReplacedHooks.replace(chain,
				List.of(PreToolHook.forTools(CALL.tool()::equals, (call) -> ToolDecision.deny("no"))), List.of(),
				List.of());
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isFalse();
	}

	@Test
	@Timeout(10)
	void executeKeepsTheHooksThatItBeganWith() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		ToolHookChain chain = this.tool.withResults((call, result) -> {
			this.asked.add("old result hook");
			return ToolDecision.approve();
		}).chain((call) -> {
			waiting.countDown();
			await(go);
			return ToolDecision.modify(Map.of("command", "pwd"));
		}, asked("old"));
		CompletableFuture<ToolResult> result = CompletableFuture.supplyAsync(() -> chain.execute(CALL, this.tool::run));
		waiting.await();
		ReplacedHooks.replace(chain, List.of(asked("new")), List.of(), List.of());
		go.countDown();
		assertThat(result.get().content()).isEqualTo("ran pwd");
		assertThat(this.asked).containsExactly("old", "old result hook");
		assertThat(this.tool.outcomes).hasSize(1);
		chain.execute(CALL, this.tool::run);
		assertThat(this.asked).containsExactly("old", "old result hook", "new");
		assertThat(this.tool.outcomes).hasSize(1);
	}

	@Test
	void executeWhenHookReplacesItselfCallEndsWithTheOldHooks() {
		List<ToolHookChain> self = new ArrayList<>();
		self.add(this.tool.chain((call) -> {
			ReplacedHooks.replace(self.get(0), List.of(), List.of(), List.of());
			return ToolDecision.approve();
		}, (call) -> ToolDecision.deny("still here")));
		assertThat(self.get(0).execute(CALL, this.tool::run).succeeded()).isFalse();
		assertThat(this.tool.outcomes).hasSize(1);
		assertThat(self.get(0).execute(CALL, this.tool::run).succeeded()).isTrue();
	}

	@Test // X07
	void executeWhenHooksAreReplacedWhileToolDelegatesTheCallItIsStillDecidedOnce() {
		ToolHookChain chain = this.tool.chain(asked("old"));
		ToolResult result = chain.execute(CALL, (call) -> {
			ReplacedHooks.replace(chain, List.of(asked("new")), List.of(),
					List.of((PostToolHook) this.tool.outcomes::add));
			return chain.execute(call, this.tool::run);
		});
		assertThat(result.succeeded()).isTrue();
		assertThat(this.asked).containsExactly("old");
		assertThat(this.tool.outcomes).hasSize(1);
	}

	@Test
	void executeWhenHooksAreReplacedWhileToolMakesAnotherCallThatGetsTheNewOnes() {
		ToolHookChain chain = this.tool.chain(asked("old"));
		ToolCall other = ToolCall.of("other", Map.of());
		chain.execute(CALL, (call) -> {
			ReplacedHooks.replace(chain, List.of((PreToolHook) (inner) -> ToolDecision.deny("no")), List.of(),
					List.of());
			return chain.execute(other, this.tool::run);
		});
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void replaceHooksWhenAHookIsBrokenKeepsTheOldOnes() {
		ToolHookChain chain = this.tool.chain((call) -> ToolDecision.deny("no"));
		PreToolHook nameless = new PreToolHook() {
			@Override
			public String name() {
				throw new IllegalStateException();
			}

			@Override
			public ToolDecision preCall(ToolCall call) {
				return ToolDecision.approve();
			}
		};
		assertThatIllegalStateException()
			.isThrownBy(() -> ReplacedHooks.replace(chain, List.of(nameless), List.of(), List.of()));
		assertThatNullPointerException()
			.isThrownBy(() -> ReplacedHooks.replace(chain, nullList(), List.of(), List.of()));
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isFalse();
	}

	@Test
	void replaceHooksCopiesTheLists() {
		ToolHookChain chain = this.tool.chain();
		List<PreToolHook> hooks = new ArrayList<>(List.of((call) -> ToolDecision.deny("no")));
		ReplacedHooks.replace(chain, hooks, List.of(), List.of());
		hooks.clear();
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isFalse();
	}

	@SuppressWarnings("NullAway")
	private static List<PreToolHook> nullList() {
		return null;
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
