package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.Glob;
import io.agenthooks.chain.HookSet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link ToolHookChain}: which hooks are for which tool is found out once.
 */
class ToolHookChainPlanTests {

	private static final ToolCall CALL = GuardedTool.CALL;

	private static final ToolCall OTHER = ToolCall.of("other", Map.of("command", "ls"));

	private final GuardedTool tool = new GuardedTool();

	private final List<String> asked = new ArrayList<>();

	private final AtomicInteger tests = new AtomicInteger();

	private ToolHookChain chain(Choosy hook) {
		return new ToolHookChain(List.of(hook), List.of(hook), List.of(hook), ToolApprover.nobody(), null,
				new AbortedRuns());
	}

	private boolean isRunCommand(String tool) {
		this.tests.incrementAndGet();
		return tool.equals("run_command");
	}

	@Test
	void executeNeverAsksAHookAboutToolsThatItIsNotFor() {
		ToolHookChain chain = chain(new Choosy(this::isRunCommand));
		assertThat(chain.execute(OTHER, this.tool::run).content()).isEqualTo("ran ls");
		assertThat(this.asked).isEmpty();
		chain.execute(CALL, this.tool::run);
		assertThat(this.asked).containsExactly("pre run_command", "result run_command", "post run_command");
	}

	@Test
	void executeFindsOutOnceForWhichToolsAHookIs() {
		ToolHookChain chain = this.tool.chain(new Choosy(this::isRunCommand));
		for (int i = 0; i < 10; i++) {
			chain.execute(CALL, this.tool::run);
			chain.execute(OTHER, this.tool::run);
		}
		assertThat(this.tests).hasValue(2);
		assertThat(this.asked).hasSize(10).containsOnly("pre run_command");
	}

	@Test
	void executeKeepsTheOrderOfTheHooksForATool() {
		ToolHookChain chain = this.tool.chain(asking("a", "run_*"), asking("b", "*"), asking("c", "other"),
				asking("d", "run_command"), asking("e", "nothing"));
		chain.execute(CALL, this.tool::run);
		assertThat(this.asked).containsExactly("a", "b", "d");
		this.asked.clear();
		chain.execute(OTHER, this.tool::run);
		assertThat(this.asked).containsExactly("b", "c");
	}

	private PreToolHook asking(String name, String glob) {
		return PreToolHook.forTools(Glob.of(glob), (call) -> {
			this.asked.add(name);
			return ToolDecision.approve();
		});
	}

	@Test
	void executeWhenChangedCallAsksPoliciesForItsToolAgainAndOnlyThose() {
		List<Object> seen = new ArrayList<>();
		PreToolHook policy = Hooks.policy((call) -> {
			seen.add(call.tool() + " " + call.arguments().get("command"));
			return ToolDecision.approve();
		});
		ToolHookChain chain = this.tool.chain(PreToolHook.forTools("other"::equals, policy),
				PreToolHook.forTools("run_command"::equals, policy),
				PreToolHook.forTools("other"::equals, (call) -> ToolDecision.deny("no")),
				Hooks.changingCommandTo("pwd"), PreToolHook.forTools("other"::equals, policy), policy);
		assertThat(chain.execute(CALL, this.tool::run).content()).isEqualTo("ran pwd");
		assertThat(seen).containsExactly("run_command ls", "run_command pwd", "run_command pwd");
	}

	@Test
	void executeWhenAnsweredCallAsksPoliciesForItsToolAndOnlyThose() {
		PreToolHook deny = Hooks.policy((call) -> ToolDecision.deny("no"));
		ToolHookChain chain = this.tool.chain(Hooks.answering("cached"), PreToolHook.forTools("other"::equals, deny));
		assertThat(chain.execute(CALL, this.tool::run).content()).isEqualTo("cached");
		assertThat(chain.execute(OTHER, this.tool::run).succeeded()).isFalse();
	}

	@Test
	void executeRemembersABoundedNumberOfTools() {
		ToolHookChain chain = this.tool.chain(new Choosy(this::isRunCommand));
		for (int i = 0; i < HookSet.MAX_TARGETS; i++) {
			chain.execute(ToolCall.of("invented" + i, Map.of()), this.tool::run);
		}
		assertThat(this.tests).hasValue(HookSet.MAX_TARGETS);
		chain.execute(ToolCall.of("invented0", Map.of()), this.tool::run);
		assertThat(this.tests).hasValue(HookSet.MAX_TARGETS);
		for (int i = 1; i <= 3; i++) {
			chain.execute(CALL, this.tool::run);
			assertThat(this.tests).hasValue(HookSet.MAX_TARGETS + i);
			assertThat(this.asked).hasSize(i).containsOnly("pre run_command");
		}
	}

	@Test
	void executeDoesNotRememberLongNames() {
		ToolHookChain chain = this.tool.chain(new Choosy(this::isRunCommand));
		int testsOfOneCall = 0;
		for (int i = 0; i < 3; i++) {
			String name = "x".repeat(HookSet.MAX_NAME_LENGTH + 1);
			chain.execute(ToolCall.of("1", ToolIdentity.onServer("files", name, "read"), Map.of(), CallContext.empty()),
					this.tool::run);
			testsOfOneCall = (i == 0) ? this.tests.get() : testsOfOneCall;
		}
		assertThat(testsOfOneCall).isPositive();
		assertThat(this.tests).hasValue(3 * testsOfOneCall);
		assertThat(this.tool.ran).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "RUN_COMMAND", "run command", "日本" })
	void executeTakesNamesAsTheyAre(String name) {
		ToolHookChain chain = chain(new Choosy("run_command"::equals));
		chain.execute(ToolCall.of(name, Map.of()), this.tool::run);
		assertThat(this.asked).isEmpty();
		chain.execute(CALL, this.tool::run);
		assertThat(this.asked).hasSize(3);
	}

	static Stream<Supplier<Throwable>> failures() {
		return Stream.of(IllegalStateException::new, () -> new Exception("checked"), StackOverflowError::new,
				NoClassDefFoundError::new, AssertionError::new, () -> new OutOfMemoryError("simulated"));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void executeWhenHookCannotSayForWhichToolsItIsItIsAsked(Supplier<Throwable> failure) {
		ToolHookChain chain = chain(new Choosy((name) -> {
			throw Hooks.sneaky(failure.get());
		}));
		assertThat(chain.execute(CALL, this.tool::run).succeeded()).isTrue();
		assertThat(this.asked).hasSize(3);
	}

	@ParameterizedTest
	@MethodSource("failures")
	void executeWhenPredicateOfForToolsFailsDeniesAndTellsHowItEnded(Supplier<Throwable> failure) {
		ToolHookChain chain = this.tool.chain(PreToolHook.forTools((name) -> {
			throw Hooks.sneaky(failure.get());
		}, (call) -> ToolDecision.approve()));
		try {
			assertThat(chain.execute(CALL, this.tool::run).succeeded()).isFalse();
		}
		catch (OutOfMemoryError ex) {
			assertThat(failure.get()).isInstanceOf(OutOfMemoryError.class);
		}
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeWhenPredicateOfResultHookFailsWithholds() {
		this.tool.withResults(ToolResultHook.forTools((name) -> {
			throw new IllegalStateException();
		}, (call, result) -> ToolDecision.approve()));
		assertThat(this.tool.execute().content()).startsWith("Tool result withheld");
	}

	@Test
	void executeAsksAHookWhatItIsOnlyWhenTheChainIsMade() {
		AtomicInteger questions = new AtomicInteger();
		PreToolHook moody = new PreToolHook() {
			@Override
			public Predicate<String> tools() {
				return answer("run_command"::equals);
			}

			@Override
			public boolean isRepeatable() {
				return answer(true);
			}

			private <T> T answer(T answer) {
				if (questions.incrementAndGet() > 2) {
					throw new AssertionError("asked once more");
				}
				return answer;
			}

			@Override
			public ToolDecision preCall(ToolCall call) {
				return ("rm".equals(call.arguments().get("command"))) ? ToolDecision.deny("rm")
						: ToolDecision.approve();
			}
		};
		ToolHookChain chain = this.tool.chain(moody, Hooks.changingCommandTo("rm"));
		assertThat(chain.execute(CALL, this.tool::run).content()).contains("rm");
		assertThat(chain.execute(OTHER, this.tool::run).content()).isEqualTo("ran rm");
		assertThat(questions).hasValue(2);
	}

	@Test
	@SuppressWarnings("NullAway")
	void createWhenHookDoesNotSayForWhichToolsItIsStopsAtOnce() {
		assertThatNullPointerException().isThrownBy(() -> this.tool.chain(new Choosy(null)))
			.withMessageContaining("'tools'");
	}

	@Test
	void createWhenHookFailsToSayForWhichToolsItIsStopsAtOnce() {
		assertThatIllegalStateException().isThrownBy(() -> this.tool.chain(new PreToolHook() {
			@Override
			public Predicate<String> tools() {
				throw new IllegalStateException();
			}

			@Override
			public ToolDecision preCall(ToolCall call) {
				return ToolDecision.approve();
			}
		}));
	}

	@Test
	void hooksAreForAllToolsUnlessTheySaySo() {
		PreToolHook hook = (call) -> ToolDecision.approve();
		assertThat(hook.tools()).isSameAs(ToolHook.ALL_TOOLS);
		assertThat(PreToolHook.forContexts((context) -> true, hook).tools()).isSameAs(ToolHook.ALL_TOOLS);
	}

	@Test
	void forToolsCombinesWithWhatTheHookSaysItself() {
		Choosy choosy = new Choosy(Glob.of("run_*"));
		for (ToolHook hook : List.of(PreToolHook.forTools(Glob.of("*_command"), choosy),
				ToolResultHook.forTools(Glob.of("*_command"), choosy),
				PostToolHook.forTools(Glob.of("*_command"), choosy),
				PreToolHook.forTools(Glob.of("run_*"), PreToolHook.forTools(Glob.of("*_command"), choosy)),
				PreToolHook.forContexts((context) -> true, PreToolHook.forTools(Glob.of("*_command"), choosy)))) {
			assertThat(hook.tools()).accepts("run_command", "run__command")
				.rejects("run_script", "delete_command", "other");
		}
	}

	@Test
	void forToolsHookProtectsItselfWithoutAChain() {
		PreToolHook hook = PreToolHook.forTools("run_command"::equals, (call) -> ToolDecision.deny("no"));
		assertThat(hook.preCall(OTHER)).isEqualTo(ToolDecision.approve());
		assertThat(hook.preCall(CALL)).isEqualTo(ToolDecision.deny("no"));
	}

	static Stream<PreToolHook> decoratedPreToolHooks() {
		PreToolHook hook = PreToolHook.forTools("run_command"::equals, Hooks.policy((call) -> ToolDecision.deny("no")));
		return Stream.of(PreToolHook.named("name", hook), PreToolHook.failOpen(hook), PreToolHook.observeOnly(hook),
				PreToolHook.forTools((name) -> true, hook), PreToolHook.forContexts((context) -> true, hook),
				PreToolHook.named("name", PreToolHook.failOpen(PreToolHook.observeOnly(hook))));
	}

	@ParameterizedTest
	@MethodSource("decoratedPreToolHooks")
	void everyPreCallDecoratorKeepsToolsAndRepeatability(PreToolHook hook) {
		assertThat(hook.tools()).accepts("run_command").rejects("other");
		assertThat(hook.isRepeatable()).isTrue();
	}

	static Stream<ToolHook> otherDecoratedHooks() {
		ToolResultHook result = ToolResultHook.forTools("run_command"::equals, (call, it) -> ToolDecision.approve());
		PostToolHook post = PostToolHook.forTools("run_command"::equals, (outcome) -> {
		});
		return Stream.of(ToolResultHook.named("name", result), ToolResultHook.failOpen(result),
				ToolResultHook.observeOnly(result), ToolResultHook.forContexts((context) -> true, result),
				PostToolHook.named("name", post), PostToolHook.forContexts((context) -> true, post));
	}

	@ParameterizedTest
	@MethodSource("otherDecoratedHooks")
	void everyOtherDecoratorKeepsTools(ToolHook hook) {
		assertThat(hook.tools()).accepts("run_command").rejects("other");
	}

	/**
	 * A hook that is not protected by any decorator, only by the plan.
	 */
	private final class Choosy implements PreToolHook, ToolResultHook, PostToolHook {

		private final Predicate<String> tools;

		Choosy(Predicate<String> tools) {
			this.tools = tools;
		}

		@Override
		public Predicate<String> tools() {
			return this.tools;
		}

		@Override
		public String name() {
			return "choosy";
		}

		@Override
		public ToolDecision preCall(ToolCall call) {
			ToolHookChainPlanTests.this.asked.add("pre " + call.tool());
			return ToolDecision.approve();
		}

		@Override
		public ToolDecision onResult(ToolCall call, ToolResult result) {
			ToolHookChainPlanTests.this.asked.add("result " + call.tool());
			return ToolDecision.approve();
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			ToolHookChainPlanTests.this.asked.add("post " + outcome.effective().tool());
		}

	}

}
