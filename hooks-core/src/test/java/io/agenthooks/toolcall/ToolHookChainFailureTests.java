package io.agenthooks.toolcall;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolHookChain}: hooks, tools and post-call hooks that fail.
 */
class ToolHookChainFailureTests {

	private static final String SECRET = "hunter2";

	private final GuardedTool tool = new GuardedTool();

	private final Logger logger = (Logger) LoggerFactory.getLogger(ToolHookChain.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void captureLog() {
		this.logger.setLevel(Level.DEBUG);
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void releaseLog() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
	}

	static Stream<Supplier<Throwable>> failuresOfHooks() {
		return Stream.of(() -> new IllegalStateException(SECRET), () -> new IOException(SECRET),
				() -> new StackOverflowError(), () -> new NoClassDefFoundError(SECRET),
				() -> new ExceptionInInitializerError(SECRET), () -> new AssertionError(SECRET),
				() -> new Unprintable(), () -> new Throwable(SECRET));
	}

	@ParameterizedTest // K03
	@MethodSource("failuresOfHooks")
	void executeWhenHookThrowsDeniesCall(Supplier<Throwable> failure) {
		ToolResult result = this.tool.execute(Hooks.failing(failure));
		assertThat(result).isEqualTo(ToolResult.failure("Tool call denied by hook 'broken': The hook failed"));
		assertThat(this.tool.ran).isEmpty();
		ToolOutcome outcome = this.tool.outcome();
		assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
		assertThat(outcome.decidedBy()).isEqualTo("broken");
		assertThat(outcome.result()).isSameAs(result);
		assertThat(outcome.failure()).isNull();
	}

	@Test // K03
	void executeWhenHookOverflowsTheStackForRealDeniesCall() {
		this.tool.execute(new Endless());
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("Endless");
	}

	@Test // K03
	void executeWhenHookRunsOutOfMemoryTellsPostCallHooksAndThrowsIt() {
		OutOfMemoryError error = new OutOfMemoryError("simulated");
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> this.tool.execute(Hooks.failing(() -> error)))
			.isSameAs(error);
		assertThat(this.tool.ran).isEmpty();
		ToolOutcome outcome = this.tool.outcome();
		assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
		assertThat(outcome.decidedBy()).isEqualTo("broken");
		assertThat(outcome.result()).isNull();
		assertThat(outcome.failure()).isSameAs(error);
	}

	@Test // K03
	void executeWhenVirtualMachineFailsInHookThrowsIt() {
		assertThatExceptionOfType(InternalError.class)
			.isThrownBy(() -> this.tool.execute(Hooks.failing(() -> new InternalError("simulated"))));
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcomes).hasSize(1);
	}

	@Test
	void executeWhenHookReturnsNullDeniesCall() {
		ToolResult result = this.tool.execute(PreToolHook.named("mute", NullDecisions.hook()));
		assertThat(result.content()).isEqualTo("Tool call denied by hook 'mute': The hook decided nothing");
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeWhenHookThrowsLaterHooksAreNotAsked() {
		this.tool.execute(Hooks.failing(IllegalStateException::new), (call) -> {
			throw new AssertionError("asked");
		});
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("broken");
	}

	@Test
	void executeWhenHookFailsTheNextCallIsDecidedAfresh() {
		ToolHookChain chain = this.tool.chain(new FailingOnce());
		chain.execute(GuardedTool.CALL, this.tool::run);
		assertThat(chain.execute(GuardedTool.CALL, this.tool::run).succeeded()).isTrue();
		assertThat(this.tool.ran).hasSize(1);
	}

	@Test
	void executeWhenHookIsInterruptedDeniesAndStaysInterrupted() {
		this.tool.execute(Hooks.failing(InterruptedException::new));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeLogsTheTypeAndTheStackTraceOfAFailureOnly() {
		this.logger.setLevel(Level.INFO);
		this.tool.execute(Hooks.failing(() -> new IllegalStateException(SECRET)));
		assertThat(this.log.list).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.WARN);
			assertThat(event.getFormattedMessage()).contains("broken", "java.lang.IllegalStateException")
				.doesNotContain(SECRET);
			assertThat(ThrowableProxyUtil.asString(event.getThrowableProxy())).doesNotContain(SECRET);
		});
	}

	@Test
	void executeLogsTheStackTraceOfAFailureAtDebug() {
		this.tool.execute(Hooks.failing(() -> new IllegalStateException(SECRET)));
		assertThat(this.log.list).last().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.DEBUG);
			assertThat(event.getThrowableProxy()).isNotNull();
		});
	}

	@Test
	void executeNeverLogsArguments() {
		this.logger.setLevel(Level.TRACE);
		ToolCall call = ToolCall.of("id\r\nWARN fake", "tool", Map.of("password", SECRET), GuardedTool.CALL.context());
		for (PreToolHook hook : List.<PreToolHook>of((asked) -> ToolDecision.approve(),
				(asked) -> ToolDecision.deny("no"), (asked) -> ToolDecision.failedOpen("down"),
				(asked) -> ToolDecision.modify(Map.of("password", SECRET + "!")), (asked) -> ToolDecision.ask("sure?"),
				NullDecisions.hook(), Hooks.failing(IllegalStateException::new))) {
			this.tool.chain(hook).execute(call, this.tool::run);
		}
		assertThat(this.log.list).isNotEmpty().allSatisfy((event) -> {
			assertThat(event.getFormattedMessage()).doesNotContain(SECRET);
			assertThat(event.getFormattedMessage()).doesNotContain("\n", "\r");
		});
	}

	@Test
	void executeWhenHookFailsOpenRunsToolAndMarksAndLogsIt() {
		this.tool.execute(PreToolHook.named("remote", (call) -> ToolDecision.failedOpen("unreachable")),
				(call) -> ToolDecision.approve());
		assertThat(this.tool.ran).hasSize(1);
		assertThat(this.tool.outcome().failedOpen()).containsExactly("remote");
		assertThat(this.tool.outcome().decision()).isEqualTo(ToolDecision.approve());
		assertThat(this.log.list).anySatisfy((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.WARN);
			assertThat(event.getFormattedMessage()).contains("remote", "unreachable");
		});
	}

	@Test
	void executeWhenPolicyFailsOpenTwiceMarksItOnce() {
		this.tool.execute(PreToolHook.named("flaky", Hooks.policy((call) -> ToolDecision.failedOpen("unreachable"))),
				Hooks.changingCommandTo("pwd"));
		assertThat(this.tool.outcome().failedOpen()).containsExactly("flaky");
	}

	@Test
	void executeWhenSeveralHooksFailOpenMarksAll() {
		this.tool.execute(PreToolHook.named("a", (call) -> ToolDecision.failedOpen("unreachable")),
				PreToolHook.named("b", (call) -> ToolDecision.failedOpen("unreachable")));
		assertThat(this.tool.outcome().failedOpen()).containsExactly("a", "b");
	}

	static Stream<Throwable> failuresOfTools() {
		return Stream.of(new IllegalStateException("boom"), new IOException("checked, thrown sneakily"),
				new AssertionError("boom"), new OutOfMemoryError("simulated"), new StackOverflowError());
	}

	@ParameterizedTest // K13
	@MethodSource("failuresOfTools")
	void executeWhenToolThrowsCallerGetsTheSameException(Throwable failure) {
		this.tool.withTool((call) -> {
			throw Hooks.sneaky(failure);
		});
		assertThatExceptionOfType(Throwable.class).isThrownBy(() -> this.tool.execute((call) -> ToolDecision.approve()))
			.isSameAs(failure)
			.satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty());
		ToolOutcome outcome = this.tool.outcome();
		assertThat(outcome.status()).isEqualTo(ToolCallStatus.FAILED);
		assertThat(outcome.failure()).isSameAs(failure);
		assertThat(outcome.result()).isNull();
		assertThat(outcome.decision()).isEqualTo(ToolDecision.approve());
		assertThat(outcome.decidedBy()).isNull();
	}

	@Test
	void executeWhenToolThrowsWithoutPostCallHooksCallerGetsTheSameException() {
		IllegalStateException failure = new IllegalStateException();
		ToolHookChain chain = new ToolHookChain(List.of((PreToolHook) (call) -> ToolDecision.approve()), List.of());
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> chain.execute(GuardedTool.CALL, (call) -> {
				throw failure;
			}))
			.isSameAs(failure);
	}

	@Test
	void executeWhenToolThrowsAnAbortItIsAFailureOfTheTool() {
		RunAbortedException abort = new RunAbortedException(GuardedTool.CALL, "inner", "stop");
		this.tool.withTool((call) -> {
			throw abort;
		});
		assertThatExceptionOfType(RunAbortedException.class).isThrownBy(this.tool::execute).isSameAs(abort);
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.FAILED);
	}

	@Test
	void executeWhenToolReturnsNullGivesAFailure() {
		ToolResult result = this.tool.withTool(NullDecisions.executor()).execute();
		assertThat(result).isEqualTo(ToolResult.failure("The tool returned nothing"));
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.FAILED);
		assertThat(this.tool.outcome().result()).isSameAs(result);
	}

	static Stream<Supplier<Throwable>> failuresOfPostCallHooks() {
		return Stream.concat(failuresOfHooks(), Stream.of(() -> new OutOfMemoryError("simulated")));
	}

	@ParameterizedTest
	@MethodSource("failuresOfPostCallHooks")
	void executeWhenPostCallHookFailsNothingChanges(Supplier<Throwable> failure) {
		PostToolHook failing = (outcome) -> {
			throw Hooks.sneaky(failure.get());
		};
		ToolHookChain chain = new ToolHookChain(List.of(),
				List.of(failing, (PostToolHook) this.tool.outcomes::add, failing));
		ToolResult expected = ToolResult.success("done");
		assertThat(chain.execute(GuardedTool.CALL, (call) -> expected)).isSameAs(expected);
		assertThat(this.tool.outcome().result()).isSameAs(expected);
	}

	@Test
	void executeWhenPostCallHookFailsExceptionOfToolReachesCaller() {
		IllegalStateException failure = new IllegalStateException();
		ToolHookChain chain = new ToolHookChain(List.of(), List.of((PostToolHook) (outcome) -> {
			throw new Unprintable();
		}));
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> chain.execute(GuardedTool.CALL, (call) -> {
				throw failure;
			}))
			.isSameAs(failure);
	}

	@Test
	void executeWhenPostCallHookFailsAbortReachesCaller() {
		ToolHookChain chain = new ToolHookChain(List.of((PreToolHook) (call) -> ToolDecision.abortTurn("stop")),
				List.of((PostToolHook) (outcome) -> {
					throw new IllegalStateException();
				}));
		assertThatExceptionOfType(TurnAbortedException.class)
			.isThrownBy(() -> chain.execute(GuardedTool.CALL, this.tool::run));
	}

	@Test
	void executeWhenPostCallHookIsInterruptedThreadStaysInterrupted() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of((PostToolHook) (outcome) -> {
			throw Hooks.sneaky(new InterruptedException());
		}));
		assertThat(chain.execute(GuardedTool.CALL, this.tool::run).succeeded()).isTrue();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void executeTellsEveryPostCallHookOnceOfEveryCall() {
		ToolHookChain chain = new ToolHookChain(List.of((PreToolHook) (call) -> switch (call.tool()) {
			case "deny" -> ToolDecision.deny("no");
			case "answer" -> ToolDecision.respond(ToolResult.success("answer"));
			case "abort" -> ToolDecision.abortTurn("stop");
			default -> ToolDecision.approve();
		}), List.of((PostToolHook) this.tool.outcomes::add, (PostToolHook) this.tool.outcomes::add));
		ToolExecutor executor = (call) -> {
			if (call.tool().equals("throw")) {
				throw new IllegalStateException();
			}
			return new ToolResult(call.tool().equals("succeed"), "", null);
		};
		for (String tool : List.of("succeed", "fail", "throw", "deny", "answer", "abort")) {
			try {
				chain.execute(ToolCall.of(tool, Map.of()), executor);
			}
			catch (IllegalStateException | TurnAbortedException ex) {
				assertThat(tool).isIn("throw", "abort");
			}
		}
		assertThat(this.tool.outcomes)
			.extracting((outcome) -> outcome.requested().tool() + " " + outcome.status().value())
			.containsExactly("succeed succeeded", "succeed succeeded", "fail failed", "fail failed", "throw failed",
					"throw failed", "deny denied", "deny denied", "answer answered", "answer answered", "abort aborted",
					"abort aborted");
	}

	/**
	 * Fails when somebody looks at it.
	 */
	private static final class Unprintable extends RuntimeException {

		private static final long serialVersionUID = 1L;

		@Override
		public String getMessage() {
			throw new IllegalStateException(SECRET);
		}

	}

	private static final class Endless implements PreToolHook {

		@Override
		@SuppressWarnings("InfiniteRecursion")
		public ToolDecision preCall(ToolCall call) {
			return preCall(call);
		}

	}

	private static final class FailingOnce implements PreToolHook {

		private boolean failed;

		@Override
		public ToolDecision preCall(ToolCall call) {
			if (!this.failed) {
				this.failed = true;
				throw new IllegalStateException();
			}
			return ToolDecision.approve();
		}

	}

}
