package io.agenthooks.spring.alert;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.web.reactive.function.client.WebClient;
import tools.jackson.databind.JsonNode;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.external.NotifyServer;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the type {@code alert}, from YAML to a real endpoint.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class AlertEntriesTests {

	private static final String ALERT = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        name: no-deletes
			        config: {deny_tools: ["delete_*"]}
			    post_call:
			      - type: alert
			        name: many-denials
			        config:
			""";

	private final NotifyServer server = new NotifyServer();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withUserConfiguration(Application.class);

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void fiveDenialsOfOneSessionAreOneAlertWithoutArguments(CapturedOutput output) {
		alert("outcomes: [denied]", "times: 5", "within: 1m", "key: session", webhook())
			.withBean(Clock.class, () -> Clock.fixed(Instant.parse("2026-11-23T12:00:00Z"), ZoneOffset.UTC))
			.run((context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				for (int i = 0; i < 4; i++) {
					tools.execute(call("delete_file", "other"));
					tools.execute(call("delete_file", "s1"));
					tools.execute(call("read_file", "s1"));
				}
				assertThat(this.server.messages).isEmpty();
				ToolCall fifth = call("delete_file", "s1");
				tools.execute(fifth);
				NotifyServer.Message told = this.server.take();
				JsonNode alert = told.json();
				assertThat(alert.propertyNames()).containsExactly("event", "alert", "at", "call_id", "tool_name",
						"server", "status", "verdict", "decided_by", "rule", "failure", "failed_open", "would_deny",
						"session_id", "run_id", "user", "agent", "workspace", "times", "silenced", "summary");
				assertThat(alert.get("event").asString()).isEqualTo("tool_alert");
				assertThat(alert.get("alert").asString()).isEqualTo("many-denials");
				assertThat(alert.get("at").asString()).isEqualTo("2026-11-23T12:00:00Z");
				assertThat(alert.get("call_id").asString()).isEqualTo(fifth.id());
				assertThat(alert.get("tool_name").asString()).isEqualTo("delete_file");
				assertThat(alert.get("status").asString()).isEqualTo("denied");
				assertThat(alert.get("decided_by").asString()).isEqualTo("no-deletes");
				assertThat(alert.get("rule").asString()).isEqualTo("deny_tools");
				assertThat(alert.get("session_id").asString()).isEqualTo("s1");
				assertThat(alert.get("user").asString()).isEqualTo("alice");
				assertThat(alert.get("times").asInt()).isEqualTo(5);
				assertThat(told.body()).doesNotContain("hunter2");
				assertThat(told.headers().getFirst("Content-Type")).isEqualTo("application/json");
				assertThat(listened(context.getBean(Application.class)).toString()).doesNotContain("hunter2");
			});
		assertThat(this.server.messages).isEmpty();
		assertThat(output).contains("Alert 'many-denials': the call '").doesNotContain("hunter2");
	}

	@Test
	void spellingsOfAUserAreCountedTogether() {
		alert("outcomes: [denied]", "times: 3", "within: 1m", "key: user", webhook()).run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			for (String user : List.of("bob", "Alice ", "al\u00ADice", "alice")) {
				tools.execute(ToolCall.of("delete_file", Map.of(), CallContext.ofSession("s1").withUser(user)));
			}
			assertThat(this.server.take().json().get("user").asString()).isEqualTo("alice");
		});
		assertThat(this.server.messages).isEmpty();
	}

	@Test
	void alertIsAnEventOnAnotherThreadThanThatOfTheCall() {
		alert("outcomes: [succeeded]", "silence: 0s").run((context) -> {
			Application application = context.getBean(Application.class);
			context.getBean(ToolExecutor.class).execute(call("read_file", "s1"));
			ToolAlert alert = listened(application);
			assertThat(alert.name()).isEqualTo("many-denials");
			assertThat(alert.status()).isEqualTo("succeeded");
			assertThat(alert.decidedBy()).isNull();
			assertThat(application.threads.take()).isNotEqualTo(Thread.currentThread().getName());
		});
	}

	@Test
	void deniedCallThatProvesTheGuardAtTheStartIsNoAlert() {
		alert("when: 'true'", "silence: 0s").run((context) -> {
			context.getBean(ToolExecutor.class).execute(call("read_file", "s1"));
			// Alerts come in order, so an earlier one would be the first.
			assertThat(listened(context.getBean(Application.class)).status()).isEqualTo("succeeded");
		});
	}

	@Test
	void nextAlertSaysHowManyWereSilenced() {
		alert("outcomes: [denied]", "silence: 1h", "key: [tool, hook]").run((context) -> {
			Application application = context.getBean(Application.class);
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			for (int i = 0; i < 100; i++) {
				tools.execute(call("delete_file", "s" + i));
			}
			tools.execute(call("delete_user", "s1"));
			assertThat(listened(application).tool()).isEqualTo("delete_file");
			assertThat(listened(application).tool()).isEqualTo("delete_user");
			assertThat(application.alerts).isEmpty();
		});
	}

	@Test
	void silenceThatNoAlertFollowsIsSummedUp(CapturedOutput output) {
		alert("outcomes: [denied]", "silence: 1s", "key: session", webhook()).run((context) -> {
			Application application = context.getBean(Application.class);
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			long told = 0;
			long summaries = 0;
			for (int i = 0; i < 100; i++) {
				tools.execute(call("delete_file", "s1"));
			}
			while (summaries == 0) {
				ToolAlert alert = listened(application);
				told += alert.silenced() + ((alert.summary()) ? 0 : 1);
				summaries += (alert.summary()) ? 1 : 0;
				assertThat(alert.tool()).isEqualTo("delete_file");
			}
			assertThat(told).isEqualTo(100);
			boolean summedUp = false;
			while (!summedUp) {
				summedUp = this.server.take().json().get("summary").asBoolean();
			}
		});
		assertThat(output).contains("alerts were silenced in all, this was the first)");
	}

	@Test
	void applicationThatEndsDoesNotWaitForASilence() {
		alert("outcomes: [denied]", "silence: 7d").run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			tools.execute(call("delete_file", "s1"));
			tools.execute(call("delete_file", "s1"));
			assertThat(listened(context.getBean(Application.class)).summary()).isFalse();
			AlertTimer timer = context.getBean(AlertTimer.class);
			context.close();
			timer.later(() -> {
				throw new IllegalStateException();
			}, Duration.ZERO);
		});
	}

	@Test
	void hookThatFailedOpenIsAnAlert() {
		alert("outcomes: [failed_open]").withBean("careless", PreToolHook.class, () -> PreToolHook.failOpen((call) -> {
			throw new IllegalStateException("hunter2");
		})).run((context) -> {
			context.getBean(ToolExecutor.class).execute(call("read_file", "s1"));
			ToolAlert alert = listened(context.getBean(Application.class));
			assertThat(alert.failedOpen()).containsExactly("careless");
			assertThat(alert.status()).isEqualTo("succeeded");
		});
	}

	@Test
	void toolThatFailsIsAnAlertWithTheClassOfTheExceptionOnly() {
		alert("outcomes: [failed]", "when: outcome.failure.endsWith('StateException')", webhook()).run((context) -> {
			try {
				context.getBean(ToolExecutor.class).execute(call("broken", "s1"));
			}
			catch (IllegalStateException ex) {
				assertThat(ex).hasMessage("hunter2");
			}
			NotifyServer.Message told = this.server.take();
			assertThat(told.json().get("failure").asString()).isEqualTo(IllegalStateException.class.getName());
			assertThat(told.body()).doesNotContain("hunter2");
		});
	}

	@Test
	void conditionChoosesWhichCallsAreOfInterest() {
		alert("when: tool.name == 'delete_file' && outcome.decided_by == 'no-deletes' && args.password.size() > 3",
				"silence: 0s")
			.run((context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				tools.execute(call("read_file", "s1"));
				tools.execute(call("delete_user", "s2"));
				tools.execute(ToolCall.of("delete_file", Map.of("password", "abc"), CallContext.ofSession("s3")));
				tools.execute(call("delete_file", "s4"));
				// What cannot be said counts as a match
				tools.execute(ToolCall.of("delete_file", Map.of(), CallContext.ofSession("s5")));
				Application application = context.getBean(Application.class);
				assertThat(listened(application).sessionId()).isEqualTo("s4");
				assertThat(listened(application).sessionId()).isEqualTo("s5");
				assertThat(application.alerts).isEmpty();
			});
	}

	@Test
	void endpointThatHangsDelaysNoCallAndWhatItMissesIsCounted() {
		CountDownLatch latch = this.server.hold();
		measured(alert("outcomes: [denied]", "silence: 0s", webhook())).run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			tools.execute(call("delete_file", "s1"));
			this.server.take();
			long start = System.nanoTime();
			for (int i = 0; i < 1_500; i++) {
				tools.execute(call("delete_file", "s1"));
			}
			// The endpoint is waited for five seconds, each time: two hours.
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
			assertThat(count("hooks.notifications.dropped")).isGreaterThan(400);
			latch.countDown();
		});
	}

	@Test
	void listenerThatHangsDelaysNoCallAndNoWebhook() {
		measured(alert("outcomes: [denied]", "silence: 0s", webhook())).run((context) -> {
			Application application = context.getBean(Application.class);
			application.held = new CountDownLatch(1);
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			for (int i = 0; i < 300; i++) {
				tools.execute(call("delete_file", "s1"));
			}
			for (int i = 0; i < 300; i++) {
				this.server.take();
			}
			assertThat(count("hooks.notifications.dropped")).isBetween(40.0, 44.0);
			application.held.countDown();
		});
	}

	@Test
	void listenerThatThrowsKeepsNoOtherAlertAway(CapturedOutput output) {
		alert("outcomes: [denied]", "silence: 0s").run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			assertThat(tools.execute(call("delete_file", "throw")).content()).contains("no-deletes");
			tools.execute(call("delete_file", "s1"));
			assertThat(listened(context.getBean(Application.class)).sessionId()).isEqualTo("s1");
		});
		assertThat(output).contains("A listener of the alert 'many-denials' failed: java.lang.IllegalStateException")
			.doesNotContain("hunter2");
	}

	@Test
	void alertThatDoesNotArriveIsCountedAndLoggedWithoutTheAddress(CapturedOutput output) {
		this.server.statuses.add(404);
		measured(alert("outcomes: [denied]", webhook())).run((context) -> {
			context.getBean(ToolExecutor.class).execute(call("delete_file", "s1"));
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(count("hooks.notifications.failed")).isEqualTo(1));
		});
		assertThat(output).contains("Alert 'many-denials': a notification did not arrive (1 so far)")
			.doesNotContain("hunter2");
	}

	@Test
	void alertIsSignedAndHasTheHeaders() {
		alert("outcomes: [denied]",
				"webhook: {url: '" + this.server.url()
						+ "', secret: whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=, headers: {X-Tenant: acme}}")
			.run((context) -> {
				context.getBean(ToolExecutor.class).execute(call("delete_file", "s1"));
				NotifyServer.Message told = this.server.take();
				assertThat(told.headers().getFirst("Webhook-signature")).startsWith("v1,");
				assertThat(told.headers().getFirst("X-Tenant")).isEqualTo("acme");
			});
	}

	@Test
	void whatModelsAndClientsChooseIsOneBoundedLine(CapturedOutput output) {
		String odd = "delete_\n\u202E" + "x".repeat(100_000);
		alert("outcomes: [denied]", "key: [tool, session, run, user, agent]", webhook()).run((context) -> {
			context.getBean(ToolExecutor.class)
				.execute(ToolCall.of(odd, Map.of(), CallContext.ofSession(odd).withRunId(odd).withUser(odd)));
			NotifyServer.Message told = this.server.take();
			assertThat(told.body().length()).isLessThan(2_500);
			assertThat(told.body()).doesNotContain("\\n", "\u202E");
		});
		assertThat(output.getOut().lines().filter((line) -> line.contains("io.agenthooks.alerts"))).singleElement()
			.satisfies((line) -> assertThat(line).hasSizeLessThan(1_000));
	}

	@Test
	void mistakesStopTheStartWithPlaceAndFix() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: alert
				        config: {outcomes: [denied]}
				    post_call:
				      - type: alert
				      - type: alert
				        config: {outcomes: [refused]}
				      - type: alert
				        config: {when: "outcome.state == 'denied'"}
				      - type: alert
				        config: {when: "outcome.status == 'deny'"}
				      - type: alert
				        config: {when: "1 > 2"}
				      - type: alert
				        config: {outcomes: [denied], times: 0, within: 2d, silence: -1s, key: [claim]}
				      - type: alert
				        config: {outcomes: [denied], within: 1m}
				      - type: alert
				        config: {outcomes: [denied], webhook: {url: "http://alerts.example.com/hunter2"}}
				      - type: alert
				        config: {outcomes: [denied], webhook: {secret: "hunter2", headers: {Host: hunter2}}}
				      - type: alert
				        timeout: 1s
				        config: {outcomes: [denied]}
				""").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContainingAll("pre_call[0].type", "post_call[0].config",
					"Neither 'outcomes' nor 'when' says which calls", "post_call[1].config.outcomes[0]",
					"succeeded, failed, denied", "post_call[2].config.when", "There is no field 'state'",
					"post_call[3].config.when", "There is no status 'deny'", "post_call[4].config.when",
					"can never hold", "post_call[5].config.key", "tool, hook, session, run, user, agent, workspace",
					"post_call[6].config.within", "One call is always within a time", "post_call[7].config.webhook.url",
					"The url is http, so everybody", "post_call[8].config.webhook.url", "The url is missing",
					"post_call[8].config.webhook.secret", "post_call[8].config.webhook.headers.Host",
					"post_call[9].timeout")
			.hasMessageNotContaining("hunter2"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "times: 0 | times", "times: 1001 | times", "times: 2, within: 25h | within",
			"times: 2, within: 0s | within", "silence: 8d | silence" })
	void numbersOutOfTheirBoundsStopTheStart(String options, String place) {
		alert("outcomes: [denied]", options.replace(", ", "\n          "))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("post_call[0].config." + place, "The " + place + " is not"));
	}

	@Test
	void missingClientStopsTheStartIfThereIsAWebhook() {
		FilteredClassLoader without = new FilteredClassLoader(WebClient.class);
		alert("outcomes: [denied]", webhook()).withClassLoader(without)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("post_call[0].config.webhook", "No HTTP client is available to post alerts"));
		alert("outcomes: [denied]").withClassLoader(without).run((context) -> assertThat(context).hasNotFailed());
	}

	private String webhook() {
		return "webhook: {url: '" + this.server.url() + "'}";
	}

	private ApplicationContextRunner alert(String... options) {
		StringBuilder yaml = new StringBuilder(ALERT);
		for (String option : options) {
			yaml.append("          ").append(option).append('\n');
		}
		return yaml(yaml.toString());
	}

	private ApplicationContextRunner measured(ApplicationContextRunner runner) {
		return runner.withConfiguration(AutoConfigurations.of(ToolCallMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, () -> this.registry);
	}

	private double count(String counter) {
		return this.registry.get(counter).tag("hook", "many-denials").functionCounter().count();
	}

	private ApplicationContextRunner yaml(String yaml) {
		return this.contextRunner.withInitializer((context) -> {
			try {
				new YamlPropertySourceLoader()
					.load("application.yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static ToolCall call(String tool, String session) {
		return ToolCall.of(tool, Map.of("password", "hunter2"), CallContext.ofSession(session).withUser("alice"));
	}

	private static ToolAlert listened(Application application) throws InterruptedException {
		ToolAlert alert = application.alerts.poll(30, TimeUnit.SECONDS);
		assertThat(alert).as("alert").isNotNull();
		return alert;
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		final BlockingQueue<ToolAlert> alerts = new LinkedBlockingQueue<>();

		final BlockingQueue<String> threads = new LinkedBlockingQueue<>();

		volatile CountDownLatch held = new CountDownLatch(0);

		@Bean
		ToolExecutor tools() {
			return (call) -> {
				if (call.tool().equals("broken")) {
					throw new IllegalStateException("hunter2");
				}
				return ToolResult.success("ran " + call.tool());
			};
		}

		@EventListener
		void listen(ToolAlert alert) throws InterruptedException {
			if ("throw".equals(alert.sessionId())) {
				throw new IllegalStateException("hunter2");
			}
			assertThat(this.held.await(60, TimeUnit.SECONDS)).isTrue();
			this.threads.add(Thread.currentThread().getName());
			this.alerts.add(alert);
		}

	}

}
