package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import io.agenthooks.AbortedRuns;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallContext;
import io.agenthooks.HookDecision;
import io.agenthooks.HookOutcome;
import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunInProgress;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link CallWatch} and {@link Watches}.
 */
class CallWatchTests {

	private final List<String> log = new ArrayList<>();

	private final CallWatch watch = new Logging("w");

	private final ToolExecutor tool = (call) -> {
		this.log.add("tool");
		return switch (call.tool()) {
			case "throw" -> throw new IllegalStateException("thrown");
			case "fail" -> ToolResult.failure("failed");
			default -> ToolResult.success("done");
		};
	};

	@Test
	void watchesStandAroundHooksAndTool() {
		ToolHookChain chain = new ToolHookChain(List.of(PreToolHook.named("pre", (call) -> {
			this.log.add("hook");
			return ToolDecision.approve();
		})), List.of(ToolResultHook.named("result", (call, result) -> ToolDecision.approve())),
				List.of(PostToolHook.named("post", (outcome) -> this.log.add("told"))), ToolApprover.nobody(), null,
				new AbortedRuns());
		chain.setWatches(List.of(this.watch, new Logging("v")));
		chain.execute(ToolCall.of("read", Map.of()), this.tool);
		assertThat(this.log).containsExactly("w begin", "v begin", "w bind", "v bind", "w ask pre DECIDE",
				"v ask pre DECIDE", "hook", "v said approve", "w said approve", "tool", "w ask result RESULT",
				"v ask result RESULT", "v said approve", "w said approve", "w ask post LEARN", "v ask post LEARN",
				"told", "v said null", "w said null", "v unbind", "w unbind", "v end SUCCEEDED", "w end SUCCEEDED");
	}

	static Stream<Arguments> eachCallEndsOnce() {
		return Stream.of(Arguments.of("read", "SUCCEEDED"), Arguments.of("fail", "FAILED"),
				Arguments.of("throw", "FAILED"), Arguments.of("deny", "DENIED"), Arguments.of("respond", "ANSWERED"),
				Arguments.of("modify", "SUCCEEDED"), Arguments.of("abort", "ABORTED"),
				Arguments.of("abort-run", "ABORTED"), Arguments.of("broken", "DENIED"), Arguments.of("ask", "DENIED"),
				Arguments.of("no such name ", "DENIED"), Arguments.of("object", "DENIED"));
	}

	@ParameterizedTest
	@MethodSource
	void eachCallEndsOnce(String name, String status) {
		ToolHookChain chain = new ToolHookChain(List.of(PreToolHook.named("pre", CallWatchTests::decide)), List.of());
		chain.setWatches(List.of(this.watch));
		ToolExecutor executor = new ToolExecutor() {

			@Override
			public ToolResult execute(ToolCall call) {
				return CallWatchTests.this.tool.execute(call);
			}

			@Override
			public @Nullable String objection(ToolCall call) {
				return (call.tool().equals("object")) ? "wrong" : null;
			}

		};
		Throwable unused = catchThrowable(() -> chain.execute(ToolCall.of(name, Map.of("a", 1)), executor));
		assertThat(this.log).containsOnlyOnce("w begin", "w bind", "w unbind", "w end " + status)
			.endsWith("w unbind", "w end " + status);
	}

	private static ToolDecision decide(ToolCall call) {
		return switch (call.tool()) {
			case "deny" -> ToolDecision.deny("no");
			case "respond" -> ToolDecision.respond(ToolResult.success("answer"));
			case "modify" -> ToolDecision.modify(Map.of("b", 2));
			case "abort" -> ToolDecision.abortTurn("enough");
			case "abort-run" -> ToolDecision.abortRun("enough");
			case "ask" -> ToolDecision.ask("May it?");
			case "broken" -> throw new IllegalStateException("broken");
			default -> ToolDecision.approve();
		};
	}

	@Test
	void callWithoutHooksIsWatchedToo() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		chain.setWatches(List.of(this.watch));
		chain.execute(ToolCall.of("read", Map.of()), this.tool);
		assertThat(this.log).containsExactly("w begin", "w bind", "tool", "w unbind", "w end SUCCEEDED");
	}

	@ParameterizedTest
	@ValueSource(strings = { "read", "fail", "no such name ", "", "nothing", "throw" })
	void watchDoesNotChangeCallWithoutHooks(String name) {
		ToolExecutor executor = new ToolExecutor() {

			@Override
			@SuppressWarnings("NullAway") // tools may be broken
			public ToolResult execute(ToolCall call) {
				return (call.tool().equals("nothing")) ? null : CallWatchTests.this.tool.execute(call);
			}

			@Override
			public @Nullable String failureText(Throwable failure) {
				return "It broke";
			}

		};
		ToolCall call = ToolCall.of(name, Map.of("a", 1));
		ToolHookChain unwatched = new ToolHookChain(List.of(), List.of());
		ToolHookChain watched = new ToolHookChain(List.of(), List.of());
		watched.setWatches(List.of(this.watch));
		ToolResult expected = unwatched.execute(call, executor);
		this.log.clear();
		assertThat(watched.execute(call, executor)).isEqualTo(expected);
		assertThat(this.log).startsWith("w begin", "w bind")
			.containsOnlyOnce("w unbind")
			.last()
			.asString()
			.startsWith("w end ");
		assertThat(watched.explain(call, executor, false).decision().verdict()).isEqualTo(Verdict.APPROVE);
	}

	@Test
	void watchDoesNotLimitTheDepthOfCallsWithoutHooks() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		chain.setWatches(List.of(this.watch));
		assertThat(nested(chain, 3 * Nesting.MAX_DEPTH)).isEqualTo(ToolResult.success("done"));
		assertThat(this.log.stream().filter("w end SUCCEEDED"::equals)).hasSize(3 * Nesting.MAX_DEPTH + 1);
	}

	private ToolResult nested(ToolHookChain chain, int depth) {
		return chain.execute(ToolCall.of("read", Map.of("depth", depth)),
				(call) -> (depth > 0) ? nested(chain, depth - 1) : this.tool.execute(call));
	}

	@Test
	void callWithoutHooksThatComesToTheSameGuardAgainIsWatchedOnce() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		chain.setWatches(List.of(this.watch));
		chain.execute(ToolCall.of("read", Map.of()), (call) -> chain.execute(call, this.tool));
		assertThat(this.log).containsOnlyOnce("w begin", "tool", "w end SUCCEEDED");
	}

	@Test
	void callThatIsNestedTooDeepToEnterIsNotWatchedForEver() {
		LlmHookChain models = new LlmHookChain(List.of(), List.of(), List.of());
		models.setWatches(List.of(this.watch));
		RunHookChain runs = new RunHookChain(List.of(), List.of());
		runs.setWatches(List.of(this.watch));
		Nesting nesting = Nesting.ofThisThread();
		int entered = 0;
		try {
			while (!nesting.isTooDeep()) {
				nesting.enter();
				entered++;
			}
			assertThatIllegalStateException().isThrownBy(() -> models.begin(LlmCall.of(LlmMessage.user("hi"))));
			assertThatIllegalStateException().isThrownBy(() -> runs.begin(AgentRun.of("do it", CallContext.empty())));
		}
		finally {
			for (int i = 0; i < entered; i++) {
				nesting.leave();
			}
		}
		assertThat(this.log).isEmpty();
	}

	@Test
	void refusedAndSwitchedOffCallsAreWatched() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		chain.setWatches(List.of(this.watch));
		chain.refuse(ToolCall.of("invented", Map.of()), BuiltInDecider.UNKNOWN_TOOL.value(), "There is no such tool");
		chain.setToolsEnabled(false);
		chain.execute(ToolCall.of("read", Map.of()), this.tool);
		assertThat(this.log).containsExactly("w begin", "w bind", "w unbind", "w end DENIED", "w begin", "w bind",
				"w unbind", "w end DISABLED");
	}

	@Test
	void callThatComesToTheSameGuardAgainIsWatchedOnce() {
		ToolHookChain chain = new ToolHookChain(List.of(PreToolHook.named("pre", CallWatchTests::decide)), List.of());
		chain.setWatches(List.of(this.watch));
		chain.execute(ToolCall.of("read", Map.of()), (call) -> chain.execute(call, this.tool));
		assertThat(this.log).containsOnlyOnce("w begin", "tool");
	}

	@Test
	void inactiveWatchIsNotAsked() {
		ToolHookChain chain = new ToolHookChain(List.of(PreToolHook.named("pre", CallWatchTests::decide)), List.of());
		chain.setWatches(List.of(new Logging("w") {

			@Override
			public boolean isActive() {
				return false;
			}

		}));
		chain.execute(ToolCall.of("read", Map.of()), this.tool);
		chain.execute(ToolCall.of("deny", Map.of()), this.tool);
		assertThat(this.log).containsExactly("tool");
	}

	@ParameterizedTest
	@ValueSource(strings = { "active", "begin", "bind", "unbind", "ask", "said", "end" })
	void watchThatFailsChangesNothing(String where) {
		for (Throwable failure : List.of(new IllegalStateException("failing"), new NoClassDefFoundError("gone"))) {
			this.log.clear();
			ToolHookChain chain = new ToolHookChain(List.of(PreToolHook.named("pre", CallWatchTests::decide)),
					List.of(PostToolHook.named("post", (outcome) -> this.log.add("told"))));
			chain.setWatches(List.of(new Failing(where, failure), this.watch));
			assertThat(chain.execute(ToolCall.of("read", Map.of()), this.tool)).isEqualTo(ToolResult.success("done"));
			assertThat(this.log).contains("tool", "told").endsWith("w unbind", "w end SUCCEEDED");
			assertThat(chain.execute(ToolCall.of("deny", Map.of()), this.tool).succeeded()).isFalse();
			assertThatExceptionOfType(ToolCallAbortedException.class)
				.isThrownBy(() -> chain.execute(ToolCall.of("abort", Map.of()), this.tool));
		}
	}

	@Test
	void hookThatIsNotForTheCallIsNotShown() {
		ToolHookChain chain = ToolHookChain.of(
				List.of(HookEntry.<PreToolHook>of(PreToolHook.named("pre", CallWatchTests::decide))
					.forContexts((context) -> context.agent() != null)),
				List.of(), List.of(), ToolApprover.nobody(), null, new io.agenthooks.AbortedRuns());
		chain.setWatches(List.of(this.watch));
		chain.execute(ToolCall.of("read", Map.of()), this.tool);
		chain.execute(ToolCall.of("read", Map.of(), CallContext.empty().withAgent("clerk")), this.tool);
		assertThat(this.log).containsOnlyOnce("w ask pre DECIDE");
	}

	@Test
	void modelCallIsBoundWheneverHooksAreAskedOnWhateverThread() throws Exception {
		LlmHookChain chain = new LlmHookChain(List.of(), List.of(), List.of());
		chain.setWatches(List.of(this.watch));
		LlmCallInProgress call = chain.begin(LlmCall.of(LlmMessage.user("hi")));
		assertThat(this.log).containsExactly("w begin", "w bind", "w unbind");
		this.log.clear();
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			other.submit(() -> call.finish(LlmResponse.of("hello"))).get();
			other.submit(call::cancel).get();
		}
		finally {
			other.shutdownNow();
		}
		assertThat(this.log).containsExactly("w bind", "w unbind", "w end SUCCEEDED");
	}

	@Test
	void chainWithoutHooksIsIdleUnlessSomebodyWatchesThatNeedsNone() {
		LlmHookChain calls = new LlmHookChain(List.of(), List.of(), List.of());
		RunHookChain runs = new RunHookChain(List.of(), List.of());
		assertThat(calls.isIdle() && calls.isUnused() && runs.isIdle() && runs.isUnused()).isTrue();
		CallWatch inactive = new Failing("active", new IllegalStateException("broken"));
		calls.setWatches(List.of(inactive));
		runs.setWatches(List.of(inactive));
		assertThat(calls.isIdle() && runs.isIdle()).isTrue();
		assertThat(calls.isUnused() || runs.isUnused()).isFalse();
		calls.setWatches(List.of(new NeedingHooks()));
		runs.setWatches(List.of(new NeedingHooks()));
		assertThat(calls.isIdle() && calls.isUnused() && runs.isIdle() && runs.isUnused()).isTrue();
		calls.setWatches(List.of(new NeedingHooks(), this.watch));
		runs.setWatches(List.of(new NeedingHooks(), this.watch));
		assertThat(calls.isIdle() || calls.isUnused() || runs.isIdle() || runs.isUnused()).isFalse();
		assertThat(calls.isEmpty() && runs.isEmpty()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "active", "begin", "bind", "ask", "said", "unbind", "end" })
	void logNamesTheWatchThatFails(String where) {
		ToolHookChain chain = new ToolHookChain(List.of(PreToolHook.named("pre", CallWatchTests::decide)), List.of());
		chain.setWatches(List.of(this.watch, new Failing(where, new IllegalStateException("s3cret")), this.watch));
		Logger logger = (Logger) LoggerFactory.getLogger(ToolHookChain.class);
		Level level = logger.getLevel();
		logger.setLevel(Level.WARN);
		ListAppender<ILoggingEvent> appender = new ListAppender<>();
		appender.start();
		logger.addAppender(appender);
		try {
			chain.execute(ToolCall.of("read", Map.of()), this.tool);
		}
		finally {
			logger.setLevel(level);
			logger.detachAppender(appender);
		}
		assertThat(appender.list).extracting(ILoggingEvent::getFormattedMessage)
			.anyMatch((line) -> line.startsWith("The watch '" + Failing.class.getName() + "' failed with "))
			.noneMatch((line) -> line.contains("s3cret"));
	}

	@Test
	void runIsWatched() {
		RunHookChain chain = new RunHookChain(List.of(), List.of());
		chain.setWatches(List.of(this.watch));
		RunInProgress run = chain.begin(AgentRun.of("do it", CallContext.empty()));
		run.fail(new IllegalStateException("failed"));
		run.finish("too late", null);
		assertThat(this.log).containsExactly("w begin", "w bind", "w unbind", "w bind", "w unbind", "w end FAILED");
	}

	private class Logging implements CallWatch {

		private final String name;

		Logging(String name) {
			this.name = name;
		}

		private void log(String line) {
			CallWatchTests.this.log.add(this.name + " " + line);
		}

		@Override
		public WatchedCall begin(HookedCall call) {
			log("begin");
			return new WatchedCall() {

				@Override
				public Binding bind() {
					log("bind");
					return () -> log("unbind");
				}

				@Override
				public WatchedHook ask(HookEntry<?> hook, HookPart part) {
					log("ask " + hook.name() + " " + part);
					return (decision,
							failure) -> log("said " + ((decision != null) ? decision.verdict().value() : failure));
				}

				@Override
				public void end(HookOutcome outcome) {
					log("end " + outcome.status());
				}

			};
		}

	}

	private record Failing(String where, Throwable failure) implements CallWatch {

		private void at(String place) {
			if (place.equals(this.where)) {
				throw Failures.rethrow(this.failure);
			}
		}

		@Override
		public boolean isActive() {
			at("active");
			return true;
		}

		@Override
		public WatchedCall begin(HookedCall call) {
			at("begin");
			return new WatchedCall() {

				@Override
				public Binding bind() {
					at("bind");
					return () -> at("unbind");
				}

				@Override
				public WatchedHook ask(HookEntry<?> hook, HookPart part) {
					at("ask");
					return (@Nullable HookDecision decision, @Nullable Throwable failure) -> at("said");
				}

				@Override
				public void end(HookOutcome outcome) {
					at("end");
				}

			};
		}

	}

	private static final class NeedingHooks implements CallWatch {

		@Override
		public boolean needsHooks() {
			return true;
		}

		@Override
		public @Nullable WatchedCall begin(HookedCall call) {
			return null;
		}

	}

}
