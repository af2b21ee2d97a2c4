package io.agenthooks.spring.assembly;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of calls and hooks when the application is closed.
 */
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTests {

	private static final ToolCall CALL = ToolCall.of("t", Map.of());

	private static final Duration GRACE = Duration.ofMinutes(2);

	private final ExecutorService callers = Executors.newCachedThreadPool();

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private final AtomicInteger executed = new AtomicInteger();

	private volatile @Nullable Thread waiting;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> {
			this.executed.incrementAndGet();
			return ToolResult.success("ran");
		});

	@AfterEach
	void release() {
		this.released.countDown();
		this.callers.shutdownNow();
	}

	/**
	 * Whoever keeps the runs of an application that is closed, as a test or another
	 * context may, must not keep its hooks.
	 */
	@Test
	void flowHearsOfRunsThatEndUntilTheApplicationIsClosed() {
		String entry = "hooks.tool_call.pre_call[0].";
		CallContext run = CallContext.empty().withRunId("r");
		ToolCall pay = ToolCall.of("pay", Map.of("to", "eve"), run);
		AtomicReference<AbortedRuns> runs = new AtomicReference<>();
		AtomicReference<RehearsedHook> flow = new AtomicReference<>();
		this.contextRunner
			.withPropertyValues(entry + "type=flow", entry + "config.untrusted=t", entry + "config.sinks[0].tools=pay",
					entry + "config.then=deny")
			.run((context) -> {
				runs.set(context.getBean(AbortedRuns.class));
				flow.set((RehearsedHook) context.getBean(AllConfiguredHooks.class).toolCall().preCall().get(0).hook());
				ToolExecutor executor = context.getBean(ToolExecutor.class);
				assertThat(executor.execute(ToolCall.of("t", Map.of(), run)).succeeded()).isTrue();
				assertThat(Objects.requireNonNull(flow.get()).rehearse(pay)).isInstanceOf(ToolDecision.Deny.class);
				Objects.requireNonNull(runs.get()).endRun("r");
				assertThat(Objects.requireNonNull(flow.get()).rehearse(pay)).isInstanceOf(ToolDecision.Approve.class);
				assertThat(executor.execute(ToolCall.of("t", Map.of(), run)).succeeded()).isTrue();
			});
		assertThat(Objects.requireNonNull(flow.get()).rehearse(pay)).isInstanceOf(ToolDecision.Deny.class);
		Objects.requireNonNull(runs.get()).endRun("r");
		assertThat(Objects.requireNonNull(flow.get()).rehearse(pay)).isInstanceOf(ToolDecision.Deny.class);
	}

	@Test // S01
	void callThatWaitsForATimeLimitedHookIsDeniedEvenIfThatFailsOpen() {
		this.contextRunner.run((context) -> {
			context.getBean(ToolHooks.class)
				.register("waiting", (PreToolHook) (call) -> waitOnce(),
						HookOptions.defaults().timeout(Duration.ofMinutes(1)).failOpen(true));
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			Future<ToolResult> inFlight = this.callers.submit(() -> tools.execute(CALL));
			this.begun.await();
			closeWithinGrace(context::close);
			assertThat(inFlight.get(1, TimeUnit.MINUTES).content()).contains("shutting down");
			assertThat(tools.execute(CALL).content()).contains("shutting down");
			assertThat(this.executed).hasValue(0);
			Awaitility.await().until(() -> !Objects.requireNonNull(this.waiting).isAlive());
		});
	}

	@Test
	void callInFlightFinishesUnderItsHooksAndDoesNotHoldUpTheClose() {
		this.contextRunner.withBean("last", PreToolHook.class, () -> (call) -> ToolDecision.deny("still guarded"))
			.run((context) -> {
				context.getBean(ToolHooks.class)
					.register("waiting", (PreToolHook) (call) -> waitOnce(), HookOptions.defaults().order(0));
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				Future<ToolResult> inFlight = this.callers.submit(() -> tools.execute(CALL));
				this.begun.await();
				closeWithinGrace(context::close);
				this.released.countDown();
				assertThat(inFlight.get(1, TimeUnit.MINUTES).content()).contains("still guarded");
				assertThat(tools.execute(CALL).content()).contains("shutting down");
				assertThat(this.executed).hasValue(0);
			});
	}

	@Test
	void noCallBeginsAfterTheClose() {
		this.contextRunner.withBean("approving", PreToolHook.class, () -> (call) -> ToolDecision.approve())
			.run((context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				assertThat(tools.execute(CALL).content()).isEqualTo("ran");
				context.close();
				assertThat(tools.execute(CALL).content()).contains("'shutdown'", "shutting down");
				assertThat(this.executed).hasValue(1);
			});
	}

	@Test
	void noCallBeginsAfterAStartThatFailedBeforeAllBeansWereMade() {
		AtomicReference<ToolExecutor> tools = new AtomicReference<>();
		this.contextRunner.withBean("approving", PreToolHook.class, () -> (call) -> ToolDecision.approve())
			.withInitializer(
					(context) -> ((GenericApplicationContext) context).registerBean("broken", Runnable.class, () -> {
						ToolExecutor executor = context.getBean(ToolExecutor.class);
						tools.set(executor);
						assertThat(executor.execute(CALL).content()).isEqualTo("ran");
						throw new IllegalStateException("broken");
					}))
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(Objects.requireNonNull(tools.get()).execute(CALL).content()).contains("shutting down");
				assertThat(this.executed).hasValue(1);
			});
	}

	@Test
	void switchedOffToolsStayOffAfterTheClose() {
		this.contextRunner.run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			context.getBean(ToolHooks.class).disableTools();
			context.close();
			assertThat(tools.execute(CALL).content()).contains("switched off");
		});
	}

	@Test // S07
	void closeTwiceClosesHooksOnce() {
		Closing type = new Closing();
		this.contextRunner.withBean(Closing.class, () -> type)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=closing")
			.run((context) -> {
				context.close();
				context.close();
				assertThat(type.closed).hasValue(1);
			});
	}

	@Test // S07
	void hooksAreClosedOnceWhenTheStartFailsBehindThem() {
		Closing type = new Closing();
		this.contextRunner.withBean(Closing.class, () -> type)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=closing")
			.withInitializer((context) -> context.getBeanFactory()
				.registerSingleton("unguarded", (ToolExecutor) (call) -> ToolResult.success("ran")))
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(type.closed).hasValue(1);
			});
	}

	@Test // S07
	void noHookIsMadeWhenWhatReadsTheirCountsCannotBeMade() {
		Closing type = new Closing();
		this.contextRunner.withBean(Closing.class, () -> type).withBean("broken", HookCountsReader.class, () -> {
			throw new IllegalStateException("broken");
		}, (definition) -> definition.setLazyInit(true))
			.withPropertyValues("hooks.tool-call.pre-call[0].type=closing")
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(type.made.get() - type.closed.get()).as("hooks left open").isZero();
			});
	}

	@Test
	void callThatWaitsForAnApprovalIsDeniedAtOnce() {
		this.contextRunner.withBean("asking", PreToolHook.class, () -> (call) -> ToolDecision.ask("sure?"))
			.withBean(ToolApprover.class, () -> (call, question) -> waitOnce())
			.run((context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				Future<ToolResult> inFlight = this.callers.submit(() -> tools.execute(CALL));
				this.begun.await();
				closeWithinGrace(context::close);
				assertThat(inFlight.get(1, TimeUnit.MINUTES).content()).contains("shutting down");
				assertThat(tools.execute(CALL).content()).contains("shutting down");
				assertThat(this.executed).hasValue(0);
			});
	}

	@Test
	void callInFlightThatAHookHoldsAfterTheCloseIsStillBound() {
		this.contextRunner.withPropertyValues("hooks.tool-call.post-call-timeout=1s")
			.withBean("learning", PostToolHook.class, () -> (outcome) -> {
				if (this.begun.getCount() > 0) {
					waitOnce();
				}
			})
			.run((context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				Future<ToolResult> inFlight = this.callers.submit(() -> tools.execute(CALL));
				this.begun.await();
				closeWithinGrace(context::close);
				assertThat(inFlight.get(1, TimeUnit.MINUTES).content()).isEqualTo("ran");
				assertThat(tools.execute(CALL).content()).contains("shutting down");
			});
	}

	@Test
	void closeWithWorkOfAllKindsInFlightThrowsAndLogsNoErrorOfOurs(CapturedOutput output) throws IOException {
		List<Throwable> uncaught = new CopyOnWriteArrayList<>();
		Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
		Thread.setDefaultUncaughtExceptionHandler((thread, ex) -> uncaught.add(ex));
		CountDownLatch busy = new CountDownLatch(10);
		try (ServerSocket silent = new ServerSocket(0)) {
			this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
				.withConfiguration(AutoConfigurations.of(ToolCallMetricsAutoConfiguration.class))
				.withBean("asking", PreToolHook.class,
						() -> (call) -> (call.tool().equals("ask")) ? ToolDecision.ask("sure?")
								: ToolDecision.approve())
				.withBean(ToolApprover.class, () -> (call, question) -> {
					busy.countDown();
					return waitOnce();
				})
				.withBean("learning", PostToolHook.class, () -> (outcome) -> {
					if (outcome.requested().tool().equals("learn")) {
						busy.countDown();
						waitOnce();
					}
				})
				.withPropertyValues("hooks.tool-call.pre-call[0].type=command",
						"hooks.tool-call.pre-call[0].match[0]=command",
						"hooks.tool-call.pre-call[0].config.command=exec sleep 60",
						"hooks.tool-call.pre-call[1].type=webhook", "hooks.tool-call.pre-call[1].match[0]=webhook",
						"hooks.tool-call.pre-call[1].config.url=http://localhost:" + silent.getLocalPort(),
						"hooks.tool-call.post-call[0].type=webhook",
						"hooks.tool-call.post-call[0].config.url=http://localhost:" + silent.getLocalPort(),
						"hooks.tool-call.post-call-timeout=500ms")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					ToolHooks hooks = context.getBean(ToolHooks.class);
					hooks.register("limited", (PreToolHook) (call) -> {
						busy.countDown();
						return waitOnce();
					}, HookOptions.defaults().match("limit").timeout(Duration.ofMinutes(1)));
					ToolExecutor tools = context.getBean(ToolExecutor.class);
					List<Future<ToolResult>> inFlight = Stream.of("ask", "learn", "limit", "command", "webhook")
						.flatMap((tool) -> Stream.of(tool, tool))
						.map((tool) -> this.callers.submit(() -> {
							if (tool.equals("command") || tool.equals("webhook")) {
								busy.countDown();
							}
							return tools.execute(ToolCall.of(tool, Map.of()));
						}))
						.toList();
					assertThat(busy.await(1, TimeUnit.MINUTES)).isTrue();
					context.close();
					this.released.countDown();
					for (Future<ToolResult> call : inFlight) {
						assertThat(call.get(1, TimeUnit.MINUTES)).isNotNull();
					}
				});
		}
		finally {
			Thread.setDefaultUncaughtExceptionHandler(before);
		}
		assertThat(uncaught).isEmpty();
		assertThat(output.getAll()).doesNotContain(" ERROR ", "Exception in thread", "RejectedExecutionException");
	}

	private ToolDecision waitOnce() {
		this.waiting = Thread.currentThread();
		this.begun.countDown();
		try {
			this.released.await();
			return ToolDecision.approve();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("stopped");
		}
	}

	private static void closeWithinGrace(Runnable close) {
		long start = System.nanoTime();
		close.run();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(GRACE);
	}

	@Configuration(proxyBeanMethods = false)
	static class Closing {

		private final AtomicInteger made = new AtomicInteger();

		private final AtomicInteger closed = new AtomicInteger();

		@Bean
		ToolHookFactory<Nothing> closing() {
			return ToolHookFactory.of("closing", Nothing.class, (nothing) -> {
				this.made.incrementAndGet();
				return new ClosingHook(this.closed);
			});
		}

	}

	record Nothing() {
	}

	private record ClosingHook(AtomicInteger closed) implements PreToolHook, AutoCloseable {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

		@Override
		public void close() {
			this.closed.incrementAndGet();
		}

	}

}
