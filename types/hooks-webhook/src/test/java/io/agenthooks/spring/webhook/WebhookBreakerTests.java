package io.agenthooks.spring.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Verdict;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.HookHealth.State;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.webhook.FaultyServer.Behaviour;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link WebhookBreaker}, with a real server that goes down and comes back.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class WebhookBreakerTests {

	private static final String[] SMALL = { "circuit_breaker.last_calls=4", "circuit_breaker.minimum_calls=4",
			"circuit_breaker.trial_calls=2", "circuit_breaker.open_for=30s" };

	private final TestClock clock = new TestClock();

	private WebhookToolHook hook(String url, String... options) {
		WebhookBreaker.Maker breakers = (name, settings) -> new Resilience4jBreaker(name,
				Objects.requireNonNull(settings.breaker()), settings.failOpen(), this.clock);
		return (WebhookToolHook) new WebhookEndpoints(WebClient::builder, List.of(), NettyConnections::new, breakers)
			.toolHooks()
			.create("guard", Webhooks.config(url,
					Stream.concat(Stream.of("notify=false"), Stream.of(options)).toArray(String[]::new)));
	}

	private static String[] with(String... options) {
		return Stream.concat(Stream.of(SMALL), Stream.of(options)).toArray(String[]::new);
	}

	@ParameterizedTest
	@CsvSource({ "false, DENY", "true, APPROVE" })
	void openCircuitFailsCallsAtOnceByTheFailModeAndClosesWhenTheServerIsBack(boolean failOpen, Verdict verdict,
			CapturedOutput output) throws IOException {
		int port;
		try (FaultyServer first = new FaultyServer(FaultyServer.APPROVE)) {
			port = first.port();
		}
		try (WebhookToolHook hook = hook("http://127.0.0.1:" + port + "/hook", with("fail_open=" + failOpen))) {
			for (int i = 0; i < 4; i++) {
				assertThat(hook.health().details().get("circuit_breaker")).isEqualTo("closed");
				assertThat(hook.preCall(Webhooks.CALL).verdict()).isEqualTo(verdict);
			}
			assertThat(output).containsOnlyOnce("Hook 'guard': the circuit breaker is open")
				.contains((failOpen) ? "calls pass" : "calls are denied");
			assertThat(hook.health().details().get("circuit_breaker")).isEqualTo("open");
			assertThat(hook.health().state()).isEqualTo(State.DOWN);
			try (FaultyServer back = new FaultyServer("http",
					new ServerSocket(port, 200, InetAddress.getLoopbackAddress()), FaultyServer.APPROVE)) {
				ToolDecision notAsked = hook.preCall(Webhooks.CALL);
				assertThat(notAsked.verdict()).isEqualTo(verdict);
				assertThat(notAsked.toString()).contains("The webhook is not asked: its circuit breaker is open");
				assertThat(back.received()).isEmpty();
				this.clock.advance(Duration.ofSeconds(31));
				assertThat(hook.health().details().get("circuit_breaker")).isEqualTo("half_open");
				for (int i = 0; i < 6; i++) {
					assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
				}
				assertThat(back.received()).hasSize(6);
				assertThat(hook.health().details().get("circuit_breaker")).isEqualTo("closed");
				assertThat(hook.health().state()).isEqualTo(State.UP);
				assertThat(output).containsOnlyOnce("Hook 'guard': the circuit breaker is closed");
			}
		}
	}

	@Test
	void trialsThatFailOpenTheCircuitAgain() {
		try (FaultyServer server = new FaultyServer(FaultyServer.status(503, "{}"));
				WebhookToolHook hook = hook(server.url(), with("fail_open=false"))) {
			call(hook, 4);
			this.clock.advance(Duration.ofSeconds(31));
			call(hook, 10);
			assertThat(server.received()).hasSize(6);
			this.clock.advance(Duration.ofSeconds(29));
			call(hook, 10);
			assertThat(server.received()).hasSize(6);
		}
	}

	@ParameterizedTest
	@MethodSource
	void whatIsNoOutageNeverOpensTheCircuit(Behaviour behaviour) {
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook hook = hook(server.url(), with("fail_open=true"))) {
			for (int i = 0; i < 20; i++) {
				assertThat(hook.preCall(Webhooks.CALL).verdict()).isEqualTo(Verdict.DENY);
			}
			assertThat(server.received()).hasSize(20);
		}
	}

	static Stream<Behaviour> whatIsNoOutageNeverOpensTheCircuit() {
		return Stream.of(FaultyServer.json("{\"verdict\":\"deny\"}"), FaultyServer.json("no JSON"),
				FaultyServer.json("{\"verdict\":\"unknown\"}"), FaultyServer.status(404, "{}"),
				FaultyServer.status(500, "{\"verdict\":\"deny\"}"));
	}

	@Test
	void largeCallIsDeniedByAnOpenCircuitAlsoIfTheHookFailsOpen() {
		try (FaultyServer server = new FaultyServer(FaultyServer.status(503, "{}"));
				WebhookToolHook hook = hook(server.url(), with("fail_open=true"))) {
			call(hook, 4);
			ToolCall large = ToolCall.of("run_command", Map.of("command", "x".repeat(300 * 1024)));
			assertThat(hook.preCall(Webhooks.CALL).verdict()).isEqualTo(Verdict.APPROVE);
			assertThat(hook.preCall(large).verdict()).isEqualTo(Verdict.DENY);
		}
	}

	@Test
	void callThatIsInterruptedSaysNothingAboutTheEndpoint() {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = hook(server.url(), with("fail_open=true"))) {
			for (int i = 0; i < 10; i++) {
				Thread.currentThread().interrupt();
				assertThat(hook.preCall(Webhooks.CALL).verdict()).isEqualTo(Verdict.DENY);
				assertThat(Thread.interrupted()).isTrue();
			}
			assertThat(hook.health().state()).isEqualTo(State.UNKNOWN);
			assertThat(hook.health().details().get("circuit_breaker")).isEqualTo("closed");
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
		}
	}

	@Test
	void fewFailuresAmongManyCallsDoNotOpenTheCircuit() {
		AtomicReference<Behaviour> behaviour = new AtomicReference<>(FaultyServer.APPROVE);
		try (FaultyServer server = new FaultyServer(
				(received, out) -> Objects.requireNonNull(behaviour.get()).answer(received, out));
				WebhookToolHook hook = hook(server.url(), with("fail_open=false"))) {
			for (int i = 0; i < 20; i++) {
				behaviour.set((i % 4 == 3) ? FaultyServer.status(503, "{}") : FaultyServer.APPROVE);
				call(hook, 1);
			}
			assertThat(server.received()).hasSize(20);
		}
	}

	@Test
	void circuitThatNobodyTriesIsNotDownForEver() {
		try (FaultyServer server = new FaultyServer(FaultyServer.status(503, "{}"));
				WebhookToolHook hook = hook(server.url(), with("fail_open=false"))) {
			call(hook, 4);
			HookHealth.Report report = hook.health();
			assertThat(report.state()).isEqualTo(State.DOWN);
			this.clock.advance(Duration.ofSeconds(31));
			assertThat(hook.health().details()).containsEntry("circuit_breaker", "half_open")
				.containsEntry("last_failure", "The webhook answered with status 503");
		}
	}

	@Test
	void oneOutageIsEnoughIfThatIsWritten() {
		try (FaultyServer server = new FaultyServer(FaultyServer.status(503, "{}"));
				WebhookToolHook hook = hook(server.url(), "fail_open=false", "circuit_breaker.last_calls=1")) {
			call(hook, 5);
			assertThat(server.received()).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "failure_rate=0", "failure_rate=101", "last_calls=0", "last_calls=10001",
			"minimum_calls=0", "minimum_calls=21", "open_for=0s", "open_for=2h", "trial_calls=0" })
	void mistakeIsNamed(String option) {
		InvalidHookConfigException ex = catchThrowableOfType(InvalidHookConfigException.class,
				() -> WebhookSettings.of(Webhooks.config("http://h", "circuit_breaker." + option)));
		assertThat(ex.getProblems()).extracting(Problem::path)
			.containsExactly(List.of("circuit_breaker", option.replaceFirst("=.*", "")));
	}

	@Test
	void circuitBreakerIsOffUnlessWritten() {
		assertThat(WebhookSettings.of(Webhooks.config("http://h")).breaker()).isNull();
		assertThat(WebhookSettings.of(Webhooks.config("http://h", "circuit_breaker.failure_rate=50")).breaker())
			.isEqualTo(new BreakerSettings(50, 20, 10, Duration.ofSeconds(30), 3));
	}

	@Test
	void circuitBreakerWithoutTheLibraryStopsTheStart() {
		FilteredClassLoader without = new FilteredClassLoader("io.github.resilience4j");
		runner("pre_call").withClassLoader(without)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("config.circuit_breaker' needs Resilience4j"));
		WebhookSettings settings = WebhookSettings.of(Webhooks.config("http://h", "circuit_breaker.failure_rate=50"));
		assertThat(catchThrowableOfType(InvalidHookConfigException.class,
				() -> WebhookBreaker.ofClassPath(without).make("guard", settings))
			.getProblems()).extracting(Problem::action)
			.singleElement()
			.asString()
			.contains("Add the dependency io.github.resilience4j:resilience4j-circuitbreaker");
	}

	@Test
	void webhookWithoutCircuitBreakerNeedsNoLibrary() {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE)) {
			new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
				.withClassLoader(new FilteredClassLoader("io.github.resilience4j"))
				.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("done"))
				.withPropertyValues("hooks.tool_call.pre_call[0].type=webhook",
						"hooks.tool_call.pre_call[0].config.url=" + server.url())
				.run((context) -> assertThat(
						context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of())).succeeded())
					.isTrue());
		}
	}

	@Test
	void circuitBreakerOfAWebhookThatIsOnlyToldStopsTheStart() {
		runner("post_call").run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.hasMessageContaining("no call waits for an endpoint that is only notified"));
	}

	@Test
	void circuitBreakerOfAnApplicationUsesItsOwnClock() {
		runner("pre_call").run((context) -> assertThat(context).hasNotFailed());
	}

	private static ApplicationContextRunner runner(String list) {
		return new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("done"))
			.withPropertyValues("hooks.tool_call." + list + "[0].type=webhook",
					"hooks.tool_call." + list + "[0].config.url=http://localhost:1/",
					"hooks.tool_call." + list + "[0].config.circuit_breaker.open_for=10");
	}

	private static void call(WebhookToolHook hook, int times) {
		for (int i = 0; i < times; i++) {
			ToolDecision unused = hook.preCall(Webhooks.CALL);
		}
	}

	private static final class TestClock extends Clock {

		private volatile Instant now = Instant.parse("2026-11-23T00:00:00Z");

		void advance(Duration time) {
			this.now = this.now.plus(time);
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return this.now;
		}

	}

}
