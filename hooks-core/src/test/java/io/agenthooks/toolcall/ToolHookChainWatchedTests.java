package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.chain.WatchedCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolHookChain}: who hears of a call, or watches it, changes nothing of
 * what becomes of it. Hooks are asked more directly if nobody does.
 */
class ToolHookChainWatchedTests {

	private static final ToolCall CALL = ToolCall.of("id", "run_command", Map.of("command", "ls"),
			CallContext.ofSession("s").withRunId("r"));

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	@Test
	void callThatIsWatchedEndsLikeAnyOther() {
		for (int seed = 0; seed < 5_000; seed++) {
			assertThat(outcome(seed, true)).as("seed " + seed).isEqualTo(outcome(seed, false));
		}
	}

	/**
	 * What becomes of two equal calls, one after the other.
	 */
	private static List<String> outcome(int seed, boolean watched) {
		Random random = new Random(seed);
		List<String> seen = new ArrayList<>();
		List<PreToolHook> hooks = new ArrayList<>();
		for (int i = random.nextInt(4); i >= 0; i--) {
			hooks.add(hook("hook" + i, random, seen));
		}
		int answer = random.nextInt(4);
		ToolApprover approver = (call, question) -> {
			seen.add("person " + call.arguments() + " " + question.question());
			return decide(answer, call);
		};
		List<PostToolHook> learning = (watched) ? List.of((PostToolHook) (outcome) -> {
		}) : List.of();
		ToolCallListener listener = (watched) ? (event) -> {
		} : null;
		ToolHookChain chain = new ToolHookChain(hooks, List.of(), learning, approver, listener, new AbortedRuns());
		if (watched) {
			chain.setWatches(List.of((call) -> new WatchedCall() {
			}));
		}
		boolean accepted = random.nextInt(6) > 0;
		for (int i = 0; i < 2; i++) {
			try {
				ToolResult result = chain.execute(CALL, new Tool(seen, accepted));
				seen.add(result.succeeded() + " " + result.content() + " " + result.additionalContext());
			}
			catch (Throwable ex) {
				seen.add(ex.getClass().getName() + " " + ex.getMessage());
			}
			seen.add("interrupted: " + Thread.interrupted());
		}
		return seen;
	}

	private static PreToolHook hook(String name, Random random, List<String> seen) {
		int behavior = random.nextInt(24);
		boolean policy = random.nextBoolean();
		boolean onlyForOthers = random.nextInt(8) == 0;
		PreToolHook hook = new PreToolHook() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public ToolDecision preCall(ToolCall call) {
				seen.add(name + " " + call.arguments());
				return decide(behavior, call);
			}

			@Override
			public boolean isRepeatable() {
				return policy;
			}

		};
		List<UnaryOperator<PreToolHook>> modes = List.of((one) -> one, (one) -> one, PreToolHook::failOpen,
				PreToolHook::observeOnly, (one) -> PreToolHook.observeOnly(PreToolHook.failOpen(one)));
		PreToolHook fitted = modes.get(random.nextInt(modes.size())).apply(hook);
		return (onlyForOthers) ? PreToolHook.forTools("other"::equals, fitted) : fitted;
	}

	@SuppressWarnings("NullAway") // a hook must not return null
	private static ToolDecision decide(int behavior, ToolCall call) {
		return switch (behavior) {
			case 0 -> ToolDecision.deny("no");
			case 1 -> ToolDecision.modify(Map.of("command", "pwd"));
			case 2 -> ToolDecision.abortRun("stop");
			case 4 -> ToolDecision.abortTurn("stop");
			case 5 -> ToolDecision.respond(ToolResult.success("cached"));
			case 6 -> ToolDecision.ask("may I?");
			case 7 -> null;
			case 8 -> throw new IllegalStateException("broken");
			case 9 -> throw new StackOverflowError("deep");
			case 10 -> throw new OutOfMemoryError("full");
			case 11 -> throw new CancellationException("over");
			case 12 -> throw new NoClassDefFoundError("gone");
			case 13 -> {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("interrupted");
			}
			case 14 -> (call.arguments().containsValue("pwd")) ? ToolDecision.deny("not that") : ToolDecision.approve();
			case 15 -> ToolDecision.modify(Map.of("command", call.arguments().get("command") + "!"));
			case 16 -> throw new AssertionError("wrong");
			default -> ToolDecision.approve();
		};
	}

	/**
	 * Says what it ran.
	 *
	 * @param seen what it says
	 * @param accepted whether it takes any call
	 */
	private record Tool(List<String> seen, boolean accepted) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			this.seen.add("ran " + call.arguments());
			return ToolResult.success("ran");
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			return (this.accepted) ? null : "not like this";
		}

	}

}
