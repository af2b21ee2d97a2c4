package io.agenthooks.spring.health;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.audit.AuditAutoConfiguration;
import io.agenthooks.spring.audit.AuditRecord;
import io.agenthooks.spring.audit.AuditSink;
import io.agenthooks.spring.external.RecentOutcomes;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.spring.prompt.PromptHooksAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolHooksHealthIndicator} and {@link HealthHooksAutoConfiguration}.
 */
class ToolHooksHealthTests {

	private static final String FIRST = "hooks.tool_call.pre_call[0].";

	private static final Duration LONG = Duration.ofSeconds(60);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class, PromptHooksAutoConfiguration.class, AuditAutoConfiguration.class,
				ToolCallMetricsAutoConfiguration.class, HealthHooksAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("done"));

	private ApplicationContextRunner webhook(Endpoint endpoint, String... options) {
		return this.runner
			.withPropertyValues(FIRST + "type=webhook", FIRST + "name=guard", FIRST + "config.url=" + endpoint.url(),
					FIRST + "config.auth_header=Bearer hunter2")
			.withPropertyValues(options);
	}

	/**
	 * By the last attempt: a fail-closed webhook is down while its endpoint is.
	 */
	@Test
	void webhookThatFailsClosedIsDownWhileItsEndpointIsAndItIsNeverPinged() {
		try (Endpoint endpoint = new Endpoint()) {
			webhook(endpoint, FIRST + "config.fail_open=false").run((context) -> {
				assertState(context, Status.UP, "unknown");
				assertThat(endpoint.asked).hasValue(0);
				assertThat(call(context).succeeded()).isTrue();
				assertState(context, Status.UP, "up");
				endpoint.goDown();
				assertState(context, Status.UP, "up");
				assertThat(call(context).succeeded()).isFalse();
				assertState(context, Status.DOWN, "down");
				assertThat(guard(context)).containsEntry("type", "webhook").containsEntry("denies_when_down", true);
				assertThat(down(context)).isEqualTo(1);
				endpoint.comeBack();
				assertState(context, Status.DOWN, "down");
				assertThat(call(context).succeeded()).isTrue();
				assertState(context, Status.UP, "up");
				assertThat(down(context)).isZero();
			});
		}
	}

	private static double down(ApplicationContext context) {
		return context.getBean(MeterRegistry.class).get("hooks.down").tag("hook", "guard").gauge().value();
	}

	@ParameterizedTest
	@ValueSource(strings = { "config.fail_open=true", "mode=observe" })
	void webhookWithoutWhichCallsPassIsShownAndTheWholeIsUp(String option) {
		try (Endpoint endpoint = new Endpoint()) {
			endpoint.goDown();
			webhook(endpoint, FIRST + option).run((context) -> {
				assertThat(call(context).succeeded()).isTrue();
				assertState(context, Status.UP, "down");
				assertThat(guard(context)).containsEntry("denies_when_down", false);
				assertThat(down(context)).isEqualTo(1);
			});
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			200 | {"verdict": "deny", "reasoning": "no"} | UP   | up
			200 | {"verdict": "hunter2"}                 | DOWN | down
			401 | {"error": "hunter2"}                   | DOWN | down
			500 | {"error": "hunter2"}                   | DOWN | down
			429 | {"error": "hunter2"}                   | DOWN | down
			""")
	void webhookIsUpIfItsAnswerIsAVerdictAndNothingOfTheAnswerIsShown(int status, String answer, String health,
			String state) {
		try (Endpoint endpoint = new Endpoint()) {
			endpoint.status = status;
			endpoint.answer = answer;
			webhook(endpoint, FIRST + "config.fail_open=false").run((context) -> {
				for (int i = 0; i < RecentOutcomes.REFUSALS; i++) {
					assertThat(call(context).succeeded()).isFalse();
				}
				assertState(context, new Status(health), state);
				assertThat(health(context).toString()).doesNotContain("hunter2", "127.0.0.1", "secret-argument");
			});
		}
	}

	/**
	 * Each call that is asked gets its verdict; most find no room.
	 */
	@ParameterizedTest
	@CsvSource({ "false, DOWN", "true, UP" })
	@Timeout(60)
	void webhookThatIsTooBusyForMostCallsIsDownForItsUsers(boolean failOpen, String health) throws Exception {
		try (Endpoint endpoint = new Endpoint()) {
			webhook(endpoint, FIRST + "config.fail_open=" + failOpen, FIRST + "config.max_concurrent=1",
					FIRST + "config.timeout=50s", FIRST + "config.notify=false")
				.run((context) -> {
					assertThat(call(context).succeeded()).isTrue();
					CountDownLatch released = endpoint.hold();
					Thread holder = new Thread(() -> call(context));
					holder.start();
					Awaitility.await().atMost(LONG).until(() -> endpoint.asked.get() == 2);
					List<Thread> others = Stream.generate(() -> new Thread(() -> call(context)))
						.limit(RecentOutcomes.CALLS)
						.toList();
					others.forEach(Thread::start);
					for (Thread other : others) {
						other.join(LONG.toMillis());
					}
					assertState(context, new Status(health), "down");
					assertThat(guard(context)).containsEntry("busy_of_last_20_calls", 20)
						.containsEntry("denies_when_down", !failOpen);
					assertThat(down(context)).isEqualTo(1);
					released.countDown();
					holder.join(LONG.toMillis());
					assertState(context, new Status(health), "down");
					for (int i = 0; i < RecentOutcomes.CALLS / 2; i++) {
						assertThat(call(context).succeeded()).isTrue();
					}
					assertState(context, Status.UP, "up");
					assertThat(down(context)).isZero();
				});
		}
	}

	@Test
	@Timeout(60)
	void callThatFindsTheJudgeBusyIsNoAttemptToAskItsModel() {
		CountDownLatch released = new CountDownLatch(1);
		ChatModel model = (prompt) -> {
			awaitWhateverInterrupts(released);
			return new ChatResponse(List.of());
		};
		this.runner.withBean("model", ChatModel.class, () -> model)
			.withPropertyValues(FIRST + "type=prompt", FIRST + "name=guard", FIRST + "config.prompt=May it? $INPUT",
					FIRST + "config.max_concurrent=1", FIRST + "config.timeout=500ms")
			.run((context) -> {
				assertThat(call(context, "first").succeeded()).isFalse();
				assertThat(call(context, "second").succeeded()).isFalse();
				assertThat(guard(context)).containsEntry("busy_of_last_20_calls", 1)
					.containsEntry("last_failure", "The judge did not answer within 500 ms");
				released.countDown();
			});
	}

	private static void awaitWhateverInterrupts(CountDownLatch latch) {
		long end = System.nanoTime() + LONG.toNanos();
		while (latch.getCount() > 0 && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			boolean ignored = Thread.interrupted();
		}
	}

	@Test
	void webhookThatIsOnlyToldIsKnownByWhatItWasTold() {
		try (Endpoint endpoint = new Endpoint()) {
			endpoint.goDown();
			this.runner
				.withPropertyValues("hooks.tool_call.post_call[0].type=webhook",
						"hooks.tool_call.post_call[0].name=guard",
						"hooks.tool_call.post_call[0].config.url=" + endpoint.url())
				.run((context) -> {
					assertThat(call(context).succeeded()).isTrue();
					Awaitility.await().atMost(LONG).until(() -> "down".equals(guard(context).get("state")));
					assertState(context, Status.UP, "down");
				});
		}
	}

	@ParameterizedTest
	@CsvSource({ "false, DOWN", "true, UP" })
	void processThatIsGivenUpIsDown(boolean failOpen, String health) {
		this.runner
			.withPropertyValues(FIRST + "type=process", FIRST + "name=guard", FIRST + "config.command[0]=python3",
					FIRST + "config.command[1]="
							+ Path.of("../types/hooks-programs/src/test/resources/programs/gate.py").toAbsolutePath(),
					FIRST + "config.fail_open=" + failOpen, FIRST + "config.restart.attempts=0",
					FIRST + "config.timeout=30s")
			.run((context) -> {
				assertState(context, Status.UP, "up");
				assertThat(guard(context)).containsEntry("process", "running");
				ToolResult unused = context.getBean(ToolExecutor.class)
					.execute(ToolCall.of("run_command", Map.of("do", "exit")));
				Awaitility.await().atMost(LONG).until(() -> "given_up".equals(guard(context).get("process")));
				assertState(context, new Status(health), "down");
			});
	}

	@Test
	void judgeIsDownWhileItsModelIs() {
		AtomicBoolean broken = new AtomicBoolean(true);
		ChatModel model = (prompt) -> {
			if (broken.get()) {
				throw new IllegalStateException("hunter2");
			}
			return new ChatResponse(List.of());
		};
		this.runner.withBean("model", ChatModel.class, () -> model)
			.withPropertyValues(FIRST + "type=prompt", FIRST + "name=guard", FIRST + "config.prompt=May it? $INPUT")
			.run((context) -> {
				assertState(context, Status.UP, "unknown");
				assertThat(call(context).succeeded()).isFalse();
				assertState(context, Status.DOWN, "down");
				assertThat(health(context).toString()).doesNotContain("hunter2").contains("The judge cannot be asked");
			});
	}

	@ParameterizedTest
	@CsvSource({ "true, DOWN", "false, UP" })
	void auditThatCannotBeWrittenIsDownAndDeniesIfItIsStrict(boolean strict, String health, @TempDir Path directory) {
		BrokenSink sink = new BrokenSink();
		this.runner.withBean("sink", AuditSink.class, () -> sink)
			.withPropertyValues("hooks.audit.enabled=true", "hooks.audit.strict=" + strict,
					"hooks.audit.anchor.file=" + directory.resolve("anchor"))
			.run((context) -> {
				assertThat(details(context, "audit")).containsEntry("state", "up").containsEntry("waiting_calls", 0);
				sink.broken.set(true);
				assertThat(call(context).succeeded()).isTrue();
				Awaitility.await().atMost(LONG).until(() -> "down".equals(details(context, "audit").get("state")));
				assertThat(health(context).getStatus().getCode()).isEqualTo(health);
				assertThat(details(context, "audit")).containsEntry("waiting_calls", 1)
					.containsEntry("calls_not_recorded", 0L)
					.containsEntry("denies_when_down", strict);
				assertThat(health(context).toString()).doesNotContain("hunter2");
				sink.broken.set(false);
				Awaitility.await().atMost(LONG).until(() -> "up".equals(details(context, "audit").get("state")));
				assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			});
	}

	@Test
	void hookOfTheApplicationTellsHowItIsAndGoesWithItsRegistration() {
		Own own = new Own();
		this.runner.run((context) -> {
			ToolHooks hooks = context.getBean(ToolHooks.class);
			ActiveHooks.Registration closed = hooks.register("guard", own);
			assertState(context, Status.DOWN, "down");
			closed.close();
			assertThat(health(context).getDetails()).isEmpty();
			hooks.register("guard", own, HookOptions.defaults().failOpen(true));
			assertState(context, Status.UP, "down");
		});
	}

	@Test
	void hooksOfOneNameInTwoListsAreBothShown() {
		try (Endpoint endpoint = new Endpoint()) {
			webhook(endpoint, "hooks.llm_call.pre_call[0].type=webhook", "hooks.llm_call.pre_call[0].name=guard",
					"hooks.llm_call.pre_call[0].config.url=" + endpoint.url())
				.run((context) -> assertThat(health(context).getDetails()).containsOnlyKeys("guard",
						"guard (llm_call)"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.health.toolhooks.enabled=false", "management.health.defaults.enabled=false" })
	void healthCanBeSwitchedOff(String property) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthIndicator.class));
	}

	@Test
	void healthIsNoCondition() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("toolHooksHealthIndicator"));
	}

	@Test
	void indicatorOfTheApplicationReplacesThisOne() {
		this.runner.withBean("toolHooksHealthIndicator", HealthIndicator.class, () -> () -> Health.unknown().build())
			.run((context) -> assertThat(health(context).getStatus()).isEqualTo(Status.UNKNOWN));
	}

	private static ToolResult call(ApplicationContext context, String argument) {
		return context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of("a", argument)));
	}

	private static ToolResult call(ApplicationContext context) {
		return context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of("a", "secret-argument")));
	}

	private static Health health(ApplicationContext context) {
		return Objects.requireNonNull(context.getBean("toolHooksHealthIndicator", HealthIndicator.class).health());
	}

	private static Map<Object, Object> guard(ApplicationContext context) {
		return details(context, "guard");
	}

	private static Map<Object, Object> details(ApplicationContext context, String hook) {
		Object details = Objects.requireNonNull(health(context).getDetails().get(hook));
		return new LinkedHashMap<>((Map<?, ?>) details);
	}

	private static void assertState(ApplicationContext context, Status status, String state) {
		Health health = health(context);
		assertThat(health.getStatus()).as(health.toString()).isEqualTo(status);
		assertThat(guard(context).get("state")).as(health.toString()).isEqualTo(state);
	}

	@Test
	void hookThatCannotTellHowItIsCountsAsDown() {
		this.runner.withBean("guard", PreToolHook.class, Mute::new).run((context) -> {
			assertState(context, Status.DOWN, "down");
			assertThat(guard(context)).containsEntry("failure", IllegalStateException.class.getName());
			assertThat(health(context).toString()).doesNotContain("hunter2");
		});
	}

	@Test
	void notificationsThatNobodyGotAreShownAndChangeNoState() {
		Losing losing = new Losing();
		this.runner.withBean("reports", PostToolHook.class, () -> losing).run((context) -> {
			assertThat(health(context).getDetails()).isEmpty();
			losing.dropped = 2;
			losing.failed = 1;
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(health(context).getDetails())
				.containsExactly(Map.entry("lost_notifications", Map.of("reports", 3L)));
		});
	}

	private static final class Losing implements PostToolHook, HookCounts {

		private long dropped;

		private long failed;

		@Override
		public void postCall(ToolOutcome outcome) {
		}

		@Override
		public long droppedNotifications() {
			return this.dropped;
		}

		@Override
		public long failedNotifications() {
			return this.failed;
		}

	}

	private static final class Mute implements PreToolHook, HookHealth {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

		@Override
		public Report health() {
			throw new IllegalStateException("hunter2");
		}

	}

	private static final class Own implements PreToolHook, HookHealth {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

		@Override
		public Report health() {
			return new Report(State.DOWN, false, Map.of());
		}

	}

	private static final class BrokenSink implements AuditSink {

		final AtomicBoolean broken = new AtomicBoolean();

		@Override
		public @Nullable String lastLine(String node) {
			return null;
		}

		@Override
		public void write(List<AuditRecord> records) {
			if (this.broken.get()) {
				throw new IllegalStateException("hunter2");
			}
		}

	}

}
