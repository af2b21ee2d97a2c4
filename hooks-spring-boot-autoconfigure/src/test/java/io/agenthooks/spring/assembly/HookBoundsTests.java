package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.AfterToolCall;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever an application lets run beside calls may hang, and the calls go on.
 */
@ExtendWith(OutputCaptureExtension.class)
class HookBoundsTests {

	private static final ToolCall CALL = ToolCall.of("t", Map.of());

	private static final Duration LONG = Duration.ofMinutes(1);

	private static final String SHORT = "50ms";

	private final ExecutorService callers = Executors.newCachedThreadPool();

	private final CountDownLatch released = new CountDownLatch(1);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final AtomicInteger hung = new AtomicInteger();

	private volatile boolean ignoring;

	private volatile @Nullable ToolExecutor inner;

	private final ApplicationContextRunner plain = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class, ToolCallMetricsAutoConfiguration.class))
		.withBean(MeterRegistry.class, () -> this.registry)
		.withBean(HookBoundsTests.class, () -> this)
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"));

	private final ApplicationContextRunner bounded = this.plain.withPropertyValues(
			"hooks.tool-call.post-call-timeout=" + SHORT, "hooks.tool-call.event-timeout=" + SHORT,
			"hooks.llm-call.post-call-timeout=" + SHORT, "hooks.llm-call.event-timeout=" + SHORT,
			"hooks.run.post-run-timeout=" + SHORT, "hooks.run.event-timeout=" + SHORT,
			"hooks.tool-call.approval-timeout=" + SHORT);

	@AfterEach
	void release() {
		this.released.countDown();
		this.callers.shutdownNow();
	}

	@ParameterizedTest
	@EnumSource
	void callGoesOnWithItsResultAfterTheBoundAndThatIsCountedAndLogged(Hanging hanging, CapturedOutput output) {
		hanging.in(this.bounded, this).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(inTime(() -> hanging.call(context))).isEqualTo("ran");
			assertThat(count("hooks.timeouts", hanging.counted)).isPositive();
			assertThat(abandoned(hanging)).isZero();
			assertThat(output).contains("takes longer than 50 ms and is interrupted, so that the call goes on");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callGoesOnAfterOnceTheHookIgnoredItsInterrupt(Hanging hanging, CapturedOutput output) {
		AtomicInteger calls = new AtomicInteger();
		hanging.in(this.bounded, this).run((context) -> {
			this.ignoring = true;
			Future<String> held = this.callers.submit(() -> hanging.call(context));
			Awaitility.await().atMost(LONG).until(() -> output.toString().contains("ignores interrupts"));
			for (int i = 0; i < 3; i++) {
				calls.incrementAndGet();
				assertThat(inTime(() -> hanging.call(context))).isEqualTo("ran");
			}
			assertThat(held).as("nothing can free a thread from what ignores interrupts").isNotDone();
			Awaitility.await()
				.atMost(LONG)
				.untilAsserted(() -> assertThat(abandoned(hanging)).isGreaterThanOrEqualTo(this.hung.get()));
			this.released.countDown();
			assertThat(held).succeedsWithin(LONG).isEqualTo("ran");
		});
		assertThat(calls).hasValue(3);
	}

	@ParameterizedTest
	@EnumSource(names = { "BEAN", "LISTENER" })
	void callDoesNotWaitAgainForAHookThatHangs(Hanging hanging, CapturedOutput output) {
		long bound = Duration.ofSeconds(2).toNanos();
		hanging.in(this.plain, this).withPropertyValues(bounds("2s")).run((context) -> {
			this.ignoring = true;
			this.callers.execute(() -> hanging.call(context));
			Awaitility.await().atMost(LONG).until(() -> output.toString().contains("ignores interrupts"));
			long start = System.nanoTime();
			for (int i = 0; i < 8; i++) {
				assertThat(inTime(() -> hanging.call(context))).isEqualTo("ran");
			}
			assertThat(System.nanoTime() - start).isLessThan(4 * bound);
			Awaitility.await("each call is told").atMost(LONG).untilAtomic(this.hung, Matchers.greaterThanOrEqualTo(9));
			Awaitility.await().atMost(LONG).until(() -> count("hooks.timeouts", hanging.counted) >= 9);
			Awaitility.await()
				.atMost(LONG)
				.untilAsserted(() -> assertThat(abandoned(hanging)).isGreaterThanOrEqualTo(9));
			this.released.countDown();
			Awaitility.await().atMost(LONG).untilAsserted(() -> assertThat(abandoned(hanging)).isZero());
		});
	}

	@Test
	void hookThatHungOnceHandlesAllLaterCallsHoweverLongTheyTake(CapturedOutput output) {
		AtomicInteger handled = new AtomicInteger();
		CountDownLatch slow = new CountDownLatch(1);
		PostToolHook hook = (outcome) -> {
			if (this.hung.get() == 0) {
				hang();
				return;
			}
			await(slow);
			if (handled.incrementAndGet() == 1) {
				throw new IllegalArgumentException("secret");
			}
		};
		this.plain.withBean("slow", PostToolHook.class, () -> hook).withPropertyValues(bounds("2s")).run((context) -> {
			this.ignoring = true;
			Future<String> held = this.callers.submit(() -> Hanging.BEAN.call(context));
			Awaitility.await().atMost(LONG).until(() -> output.toString().contains("ignores interrupts"));
			for (int i = 0; i < 3; i++) {
				assertThat(inTime(() -> Hanging.BEAN.call(context))).isEqualTo("ran");
			}
			assertThat(handled).hasValue(0);
			slow.countDown();
			Awaitility.await().atMost(LONG).untilAtomic(handled, Matchers.is(3));
			Awaitility.await()
				.atMost(LONG)
				.until(() -> output.toString().contains("failed with java.lang.IllegalArgumentException for a call"));
			// Again, if the machine was too busy for it to be in time.
			Awaitility.await().atMost(LONG).untilAsserted(() -> {
				int before = handled.get();
				assertThat(inTime(() -> Hanging.BEAN.call(context))).isEqualTo("ran");
				assertThat(handled).as("who is in time is waited for").hasValue(before + 1);
			});
			assertThat(held).isNotDone();
			assertThat(output).doesNotContain("secret");
		});
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String[] bounds(String bound) {
		return Stream
			.of("tool-call.post-call-timeout", "tool-call.event-timeout", "llm-call.post-call-timeout",
					"llm-call.event-timeout", "run.post-run-timeout", "run.event-timeout")
			.map((name) -> "hooks." + name + "=" + bound)
			.toArray(String[]::new);
	}

	@Test
	void hookWithATimeoutOfItsOwnIsLeftBehindAlsoWhenItIgnoresInterrupts() {
		this.plain.withBean("audit", ToolHookFactory.class, () -> audit(this::hang))
			.withPropertyValues("hooks.tool-call.post-call[0].type=audit", "hooks.tool-call.post-call[0].timeout=50ms")
			.run((context) -> {
				this.ignoring = true;
				assertThat(inTime(() -> Hanging.BEAN.call(context))).isEqualTo("ran");
				assertThat(count("hooks.timeouts", "audit#0")).isEqualTo(1);
			});
	}

	@Test
	void hookThatIsRegisteredWithATimeoutIsLeftBehind() {
		this.plain.run((context) -> {
			this.ignoring = true;
			context.getBean(ToolHooks.class)
				.register("late", (PostToolHook) (outcome) -> hang(),
						HookOptions.defaults().timeout(Duration.ofMillis(50)));
			assertThat(inTime(() -> Hanging.BEAN.call(context))).isEqualTo("ran");
			assertThat(count("hooks.timeouts", "late")).isEqualTo(1);
		});
	}

	@Test
	void hookOfWhichTooManyThreadsHangIsSkippedAndCounted() {
		this.plain.withBean("audit", ToolHookFactory.class, () -> audit(this::hang))
			.withPropertyValues("hooks.tool-call.post-call[0].type=audit", "hooks.tool-call.post-call[0].timeout=10ms")
			.run((context) -> {
				this.ignoring = true;
				List<Future<String>> calls = IntStream.range(0, 64)
					.mapToObj((i) -> this.callers.submit(() -> Hanging.BEAN.call(context)))
					.toList();
				assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(LONG).isEqualTo("ran"));
				Awaitility.await().atMost(LONG).until(() -> {
					Hanging.BEAN.call(context);
					return count("hooks.skipped", "audit#0") > 0;
				});
				int hanging = this.hung.get();
				double skipped = count("hooks.skipped", "audit#0");
				assertThat(Hanging.BEAN.call(context)).isEqualTo("ran");
				assertThat(count("hooks.skipped", "audit#0")).isEqualTo(skipped + 1);
				assertThat(this.hung).hasValue(hanging).hasValueLessThanOrEqualTo(64);
			});
	}

	@Test
	void hookInTimeStaysOnTheThreadOfTheCallAndInterruptsNobody() {
		List<Thread> threads = new CopyOnWriteArrayList<>();
		this.bounded.withBean("fast", PostToolHook.class, () -> (outcome) -> threads.add(Thread.currentThread()))
			.run((context) -> {
				for (int i = 0; i < 100; i++) {
					assertThat(Hanging.BEAN.call(context)).isEqualTo("ran");
				}
				assertThat(threads).hasSize(100).containsOnly(Thread.currentThread());
				assertThat(Thread.interrupted()).isFalse();
				assertThat(count("hooks.timeouts", "fast")).isZero();
			});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void interruptOfTheBoundDoesNotOutliveTheHookButThatOfTheCallerDoes(boolean interrupted) {
		this.bounded.withBean("busy", PostToolHook.class, () -> (outcome) -> busyUntilInterruptedAgain())
			.run((context) -> {
				CompletableFuture<Boolean> after = new CompletableFuture<>();
				Thread caller = new Thread(() -> {
					if (interrupted) {
						Thread.currentThread().interrupt();
					}
					Hanging.BEAN.call(context);
					after.complete(Thread.currentThread().isInterrupted());
				});
				caller.start();
				assertThat(after.get(1, TimeUnit.MINUTES)).isEqualTo(interrupted);
			});
	}

	/**
	 * Works until the time is over, and leaves the interrupt as it is.
	 */
	private void busyUntilInterruptedAgain() {
		long start = System.nanoTime();
		while ((count("hooks.timeouts", "busy") == 0 || !Thread.currentThread().isInterrupted())
				&& System.nanoTime() - start < Duration.ofMinutes(1).toNanos()) {
			Thread.onSpinWait();
		}
	}

	@Test
	void callInsideOfAHookIsBoundWithThatHook() {
		List<String> heard = new CopyOnWriteArrayList<>();
		this.bounded.withBean("calling", PostToolHook.class, () -> (outcome) -> {
			heard.add(outcome.requested().tool());
			if (outcome.requested().tool().equals("t")) {
				Objects.requireNonNull(this.inner).execute(ToolCall.of("inner", Map.of()));
			}
			else {
				hang();
			}
		}).run((context) -> {
			this.inner = context.getBean(ToolExecutor.class);
			assertThat(inTime(() -> Hanging.BEAN.call(context))).isEqualTo("ran");
			assertThat(heard).containsExactly("t", "inner");
		});
	}

	@Test
	void boundsHaveDefaults() {
		HookPropertySources none = HookPropertySources.of(new StandardEnvironment());
		for (HookSection<?> section : List.of(HookSection.TOOL_CALL, HookSection.LLM_CALL, HookSection.RUN)) {
			assertThat(none.duration(section, section.postTimeout())).isEqualTo(Duration.ofSeconds(10));
			assertThat(none.duration(section, HookSection.EVENT_TIMEOUT)).isEqualTo(Duration.ofSeconds(10));
		}
		assertThat(none.duration(HookSection.TOOL_CALL, HookSection.APPROVAL_TIMEOUT)).isEqualTo(Duration.ofMinutes(2));
	}

	// The approver

	private ApplicationContextRunner asking(ApplicationContextRunner application, ToolApprover approver) {
		return application.withBean("asking", PreToolHook.class, () -> (call) -> ToolDecision.ask("sure?"))
			.withBean("approver", ToolApprover.class, () -> approver);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callIsDeniedWhenNobodyAnswersInTime(boolean ignoresInterrupts, CapturedOutput output) {
		asking(this.bounded, (call, question) -> {
			hang();
			return ToolDecision.approve();
		}).run((context) -> {
			this.ignoring = ignoresInterrupts;
			assertThat(inTime(() -> Hanging.BEAN.call(context))).contains("Nobody approved this call within 50 ms");
			assertThat(count("hooks.timeouts", "approver")).isEqualTo(1);
			assertThat(output).contains("No approver answered within 50 ms, so the call is denied");
		});
	}

	@Test
	void callIsDeniedWithoutAskingWhileTooManyApprovalsHang() {
		asking(this.bounded, (call, question) -> {
			hang();
			return ToolDecision.approve();
		}).run((context) -> {
			this.ignoring = true;
			List<Future<String>> calls = IntStream.range(0, 64)
				.mapToObj((i) -> this.callers.submit(() -> Hanging.BEAN.call(context)))
				.toList();
			assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(LONG));
			Awaitility.await().atMost(LONG).until(() -> {
				Hanging.BEAN.call(context);
				return count("hooks.skipped", "approver") > 0;
			});
			int hanging = this.hung.get();
			assertThat(Hanging.BEAN.call(context)).contains("the approver does not respond");
			assertThat(this.hung).hasValue(hanging);
		});
	}

	@Test
	void approverSeesTheContextOfTheCallAndLeavesNoneBehind() {
		List<String> seen = new CopyOnWriteArrayList<>();
		asking(this.plain, (call, question) -> {
			var login = SecurityContextHolder.getContext().getAuthentication();
			seen.add(((login != null) ? login.getName() : "nobody") + " " + MDC.get("request"));
			return ToolDecision.approve();
		}).run((context) -> {
			try {
				SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "x"));
				MDC.put("request", "r1");
				assertThat(Hanging.BEAN.call(context)).isEqualTo("ran");
				assertThat(MDC.get("request")).isEqualTo("r1");
			}
			finally {
				SecurityContextHolder.clearContext();
				MDC.clear();
			}
			assertThat(Hanging.BEAN.call(context)).isEqualTo("ran");
			assertThat(seen).containsExactly("alice r1", "nobody null");
		});
	}

	@ParameterizedTest
	@CsvSource({ "approve, ran", "deny, not today", "fail, The approver failed",
			"nothing, neither approved nor denied" })
	void answerOfTheApproverIsWhatHoldsAsBefore(String answer, String expected) {
		asking(this.plain, (call, question) -> switch (answer) {
			case "approve" -> ToolDecision.approve();
			case "deny" -> ToolDecision.deny("not today");
			case "fail" -> throw new IllegalStateException("broken");
			default -> nothing();
		}).run((context) -> assertThat(Hanging.BEAN.call(context)).contains(expected));
	}

	@SuppressWarnings("NullAway") // an approver that breaks its contract
	private static ToolDecision nothing() {
		return null;
	}

	@Test
	void callerThatIsCancelledStopsWaitingForTheApprover() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch stopped = new CountDownLatch(1);
		asking(this.plain, (call, question) -> {
			begun.countDown();
			try {
				this.released.await();
			}
			catch (InterruptedException ex) {
				stopped.countDown();
			}
			return ToolDecision.approve();
		}).run((context) -> {
			CompletableFuture<String> result = new CompletableFuture<>();
			Thread caller = new Thread(
					() -> result.complete(Hanging.BEAN.call(context) + " " + Thread.currentThread().isInterrupted()));
			caller.start();
			begun.await();
			caller.interrupt();
			assertThat(result.get(1, TimeUnit.MINUTES)).contains("was interrupted").endsWith("true");
			assertThat(stopped.await(1, TimeUnit.MINUTES)).isTrue();
		});
	}

	private String inTime(Supplier<String> call) throws Exception {
		return this.callers.submit(call::get).get(1, TimeUnit.MINUTES);
	}

	private double abandoned(Hanging hanging) {
		return this.registry.get("hooks.threads.abandoned").tag("hook", hanging.counted).gauge().value();
	}

	private double count(String counter, String hook) {
		return this.registry.get(counter).tag("hook", hook).functionCounter().count();
	}

	private void hang() {
		this.hung.incrementAndGet();
		boolean waiting = true;
		while (waiting) {
			try {
				this.released.await();
				waiting = false;
			}
			catch (InterruptedException ex) {
				waiting = this.ignoring;
			}
		}
	}

	private static ToolHookFactory<Nothing> audit(Runnable hook) {
		return ToolHookFactory.of("audit", Nothing.class, (nothing) -> (PostToolHook) (outcome) -> hook.run());
	}

	/**
	 * What hangs in an application, and the name under which that is counted.
	 */
	enum Hanging {

		BEAN("hanging") {

			@Override
			ApplicationContextRunner in(ApplicationContextRunner application, HookBoundsTests test) {
				return application.withBean("hanging", PostToolHook.class, () -> (outcome) -> test.hang());
			}

		},

		METHOD("methods.after") {

			@Override
			ApplicationContextRunner in(ApplicationContextRunner application, HookBoundsTests test) {
				return application.withBean("methods", HangingMethod.class, () -> new HangingMethod(test));
			}

		},

		ENTRY("audit#0") {

			@Override
			ApplicationContextRunner in(ApplicationContextRunner application, HookBoundsTests test) {
				return application.withBean("audit", ToolHookFactory.class, () -> audit(test::hang))
					.withPropertyValues("hooks.tool-call.post-call[0].type=audit");
			}

		},

		LISTENER("tool_call.listeners") {

			@Override
			ApplicationContextRunner in(ApplicationContextRunner application, HookBoundsTests test) {
				return application.withBean(HangingListener.class, () -> new HangingListener(test));
			}

		},

		MODEL_HOOK("hanging") {

			@Override
			ApplicationContextRunner in(ApplicationContextRunner application, HookBoundsTests test) {
				return application.withBean("hanging", PostLlmHook.class, () -> (outcome) -> test.hang());
			}

		},

		MODEL_LISTENER("llm_call.listeners") {

			@Override
			ApplicationContextRunner in(ApplicationContextRunner application, HookBoundsTests test) {
				return LISTENER.in(application, test);
			}

		},

		RUN_HOOK("hanging") {

			@Override
			ApplicationContextRunner in(ApplicationContextRunner application, HookBoundsTests test) {
				return application.withBean("hanging", PostRunHook.class, () -> (outcome) -> test.hang());
			}

		},

		RUN_LISTENER("run.listeners") {

			@Override
			ApplicationContextRunner in(ApplicationContextRunner application, HookBoundsTests test) {
				return LISTENER.in(application, test);
			}

		};

		final String counted;

		Hanging(String counted) {
			this.counted = counted;
		}

		abstract ApplicationContextRunner in(ApplicationContextRunner application, HookBoundsTests test);

		String call(AssertableApplicationContext context) {
			if (name().startsWith("MODEL")) {
				return context.getBean(LlmHookChain.class)
					.execute(LlmCall.of(LlmMessage.user("Hello")), (call) -> LlmResponse.of("ran"))
					.text();
			}
			if (name().startsWith("RUN")) {
				context.getBean(RunHookChain.class).begin(AgentRun.of("Hello", CallContext.empty())).finish("Hi", null);
				return "ran";
			}
			return context.getBean(ToolExecutor.class).execute(CALL).content();
		}

	}

	record Nothing() {
	}

	static class HangingMethod {

		private final HookBoundsTests test;

		HangingMethod(HookBoundsTests test) {
			this.test = test;
		}

		@AfterToolCall
		void after(ToolOutcome outcome) {
			this.test.hang();
		}

	}

	static class HangingListener {

		private final HookBoundsTests test;

		HangingListener(HookBoundsTests test) {
			this.test = test;
		}

		@EventListener
		void ended(ToolCallEvent.Ended event) {
			this.test.hang();
		}

		@EventListener
		void ended(LlmCallEvent.Ended event) {
			this.test.hang();
		}

		@EventListener
		void ended(RunEvent.Ended event) {
			this.test.hang();
		}

	}

}
