package io.agenthooks.spring.assembly;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the hooks around model calls and runs, from YAML to the model.
 */
@ExtendWith(OutputCaptureExtension.class)
class LlmAndRunHooksTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ToolCallMetricsAutoConfiguration.class,
				LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
				LlmAndRunMetricsAutoConfiguration.class));

	private ApplicationContextRunner yaml(String yaml) {
		return this.runner.withInitializer((context) -> {
			try {
				ByteArrayResource resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8));
				new YamlPropertySourceLoader().load("application.yaml", resource)
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private static LlmResponse ask(AssertableApplicationContext context, String text) {
		return ask(context, LlmCall.of(LlmMessage.user(text)));
	}

	private static LlmResponse ask(AssertableApplicationContext context, LlmCall call) {
		return context.getBean(LlmHookChain.class)
			.execute(call, (made) -> LlmResponse.of("You said: " + made.messages().get(0).text()));
	}

	@Test
	void withoutHooksThereAreEmptyChains() {
		this.runner.run((context) -> {
			assertThat(context.getBean(LlmHookChain.class).isEmpty()).isTrue();
			assertThat(context.getBean(RunHookChain.class).isEmpty()).isTrue();
		});
	}

	@Test
	void policyDeniesPromptsAndWithholdsResponses() {
		yaml("""
				hooks:
				  llm_call:
				    pre_call:
				      - type: policy
				        config: {deny_patterns: ["Falcon"], roles: [user]}
				    post_call:
				      - type: policy
				        name: leaks
				        config: {deny_patterns: ["said: key"]}
				""").run((context) -> {
			assertThat(ask(context, "Falcon?").text()).startsWith("Model call denied by hook 'llm_call.policy#0': ");
			assertThat(ask(context, "key").text()).startsWith("Model response withheld by hook 'leaks': ");
			assertThat(ask(context, "Hi").text()).isEqualTo("You said: Hi");
		});
	}

	@Test
	void redactTakesSecretsOutOfPromptsOrResponses() {
		String prompt = "mail bob@example.com";
		yaml("hooks: {llm_call: {pre_call: [{type: redact, config: {detectors: [email]}}]}}").run((context) -> {
			List<LlmMessage> sent = new CopyOnWriteArrayList<>();
			LlmResponse response = context.getBean(LlmHookChain.class)
				.execute(LlmCall.of(LlmMessage.user(prompt)), (call) -> {
					sent.addAll(call.messages());
					return LlmResponse.of("ask amy@example.com");
				});
			assertThat(sent).containsExactly(LlmMessage.user("mail [redacted:email]"));
			assertThat(response.text()).isEqualTo("ask amy@example.com");
		});
		yaml("hooks: {llm_call: {post_call: [{type: redact}]}}")
			.run((context) -> assertThat(ask(context, prompt).text()).isEqualTo("You said: mail [redacted:email]"));
	}

	@Test
	void webhooksDecideAboutCallsAndRuns() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			exchange.getRequestBody().readAllBytes();
			byte[] body = "{\"verdict\":\"deny\",\"reasoning\":\"closed\"}".getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().add("Content-Type", "application/json");
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		server.start();
		try {
			yaml("""
					hooks:
					  llm_call:
					    pre_call: [{type: webhook, timeout: 5s, fail_open: false, config: {url: "http://127.0.0.1:%1$d"}}]
					  run:
					    pre_run: [{type: webhook, config: {url: "http://127.0.0.1:%1$d", notify: false}}]
					    post_run: [{type: webhook, config: {url: "http://127.0.0.1:%1$d"}}]
					"""
				.formatted(server.getAddress().getPort())).run((context) -> {
					assertThat(ask(context, "Hi").text())
						.isEqualTo("Model call denied by hook 'llm_call.webhook#0': closed");
					assertThatExceptionOfType(RunBlockedException.class)
						.isThrownBy(
								() -> context.getBean(RunHookChain.class).begin(AgentRun.of("Hi", CallContext.empty())))
						.withMessage("Run blocked: closed");
				});
		}
		finally {
			server.stop(0);
		}
	}

	@Test
	void beansAndTypesOfTheApplicationJoinInOrder() {
		yaml("""
				hooks:
				  llm_call:
				    pre_call:
				      - type: upper
				        order: 5
				        match: ["gpt-*"]
				        config: {suffix: "!"}
				      - type: bean
				        order: 9
				        config: {bean: last}
				  run:
				    pre_run: [{type: bean, agents: [robot], config: {bean: blocking}}]
				""").withUserConfiguration(Application.class).run((context) -> {
			assertThat(ask(context, LlmCall.of(LlmMessage.user("Hi")).withModel("gpt-test")).text())
				.isEqualTo("You said: first Hi! last");
			assertThat(ask(context, LlmCall.of(LlmMessage.user("Hi")).withModel("other")).text())
				.isEqualTo("You said: first Hi last");
			RunHookChain runs = context.getBean(RunHookChain.class);
			runs.begin(AgentRun.of("Hi", CallContext.empty())).finish("Done", null);
			assertThatExceptionOfType(RunBlockedException.class)
				.isThrownBy(() -> runs.begin(AgentRun.of("Hi", CallContext.empty().withAgent("robot"))));
			Application application = context.getBean(Application.class);
			assertThat(application.outcomes).hasSize(2);
			assertThat(application.llmEvents).filteredOn(LlmCallEvent.Ended.class::isInstance).hasSize(2);
			assertThat(application.runEvents).filteredOn(RunEvent.Ended.class::isInstance).hasSize(2);
		});
	}

	@Test
	void optionsOfEntriesHold() {
		yaml("""
				hooks:
				  llm_call:
				    pre_call:
				      - {type: broken, name: open, fail_open: true, config: {suffix: a}}
				      - {type: broken, name: seen, mode: observe, config: {suffix: b}}
				      - {type: broken, name: disabled, enabled: false, config: {suffix: c}}
				      - {type: hanging, name: slow, timeout: 50ms, fail_open: true, config: {suffix: d}}
				""").withUserConfiguration(Application.class).run((context) -> {
			assertThat(ask(context, "Hi").text()).contains("Hi");
			assertThat(context.getBean(Application.class).outcomes).singleElement().satisfies((outcome) -> {
				assertThat(outcome.failedOpen()).containsExactly("open", "slow");
				assertThat(outcome.wouldDeny()).containsExactly("seen");
			});
		});
	}

	@Test
	void everyMistakeOfEveryPartIsToldAtOnce() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call: [{type: policyy}]
				  llm_call:
				    pre_cal: []
				    pre_call:
				      - {type: policy, config: {deny_patterns: ["a("], role: [user], roles: [robot]}}
				      - {type: respond, config: {content: x}}
				      - {type: policy, match: ["a,b"], mcp_servers: [github], config: {deny_patterns: ["x"]}}
				    post_call:
				      - {type: webhook, config: {url: "ftp://x", notify: false}}
				      - {type: bean, config: {bean: nobody}}
				  run:
				    enabled: maybe
				    pre_run:
				      - {type: bean, match: ["x"], mcpServers: [x], timeout: 0s, config: {bean: listening}}
				    post_call: []
				""").withUserConfiguration(Listening.class).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause()
				.message()
				.contains("tool_call.pre_call[0].type", "llm_call.pre_cal'", "deny_patterns[0]", "config.role'",
						"config.roles[0]", "llm_call.pre_call[1].type", "llm_call.pre_call[2].match",
						"llm_call.pre_call[2].mcp_servers' has no meaning below hooks.llm_call",
						"run.pre_run[0].mcpServers' has no meaning below hooks.run", "would match no model",
						"llm_call.post_call[0].config", "llm_call.post_call[1].config.bean", "run.enabled",
						"run.pre_run[0].match", "run.pre_run[0].timeout", "run.post_call");
		});
	}

	@Test
	void hookInTheWrongListStopsTheStart() {
		yaml("hooks: {llm_call: {post_call: [{type: upper, config: {suffix: a}}]}}")
			.withUserConfiguration(Application.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.message()
				.contains("llm_call.post_call[0].type", "cannot stand in this list"));
	}

	@Test
	void hooksThatNoFrameworkAsksAreTold(CapturedOutput output) {
		String yaml = "hooks: {run: {pre_run: [{type: bean, config: {bean: hook}}]}}";
		ApplicationContextRunner runs = yaml(yaml).withBean("hook", PreRunHook.class,
				() -> (run) -> RunDecision.approve());
		runs.run((context) -> assertThat(output).doesNotContain("neither Spring AI"));
		runs.withClassLoader(new FilteredClassLoader("dev.langchain4j"))
			.run((context) -> assertThat(output).doesNotContain("neither Spring AI"));
		runs.withClassLoader(new FilteredClassLoader("org.springframework.ai", "dev.langchain4j"))
			.run((context) -> assertThat(output).contains("hooks.run has hooks, but neither Spring AI's ChatClient"));
	}

	@Test
	void hookThatLearnsOfEverythingIsNoReasonToMissAFramework(CapturedOutput output) {
		this.runner.withBean("recorder", Recorder.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.ai", "dev.langchain4j"))
			.run((context) -> {
				assertThat(context.getBean(LlmHookChain.class).isEmpty()).isFalse();
				assertThat(output).doesNotContain("neither Spring AI's ChatClient");
			});
	}

	@Test
	void metricsOfTheStarterAreNoReasonToMissAFramework(CapturedOutput output) {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withClassLoader(new FilteredClassLoader("org.springframework.ai", "dev.langchain4j"))
			.run((context) -> {
				assertThat(context.getBean(LlmHookChain.class).isEmpty()).isFalse();
				assertThat(output).doesNotContain("neither Spring AI's ChatClient");
			});
	}

	@Test
	void switchedOffIsSaidAndNothingOfItRead(CapturedOutput output) {
		yaml("hooks: {llm_call: {bypass_hooks: true, pre_call: [{type: nonsense}]}, run: {bypass_hooks: true}}")
			.run((context) -> {
				assertThat(context).hasNotFailed()
					.doesNotHaveBean(LlmHookChain.class)
					.doesNotHaveBean(RunHookChain.class)
					.hasSingleBean(ToolHookChain.class);
				assertThat(output).contains("hooks.llm_call.bypass_hooks is true", "hooks.run.bypass_hooks is true");
			});
	}

	@Test
	void switchedOffToolHooksLeaveTheOthersOn() {
		yaml("hooks: {tool_call: {bypass_hooks: true}, llm_call: {pre_call: [{type: policy, config: {deny_patterns: [a]}}]}}")
			.run((context) -> assertThat(ask(context, "a").finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK));
	}

	@Test
	void runThatAToolHookAbortsIsOverForModelCallsAndRuns() {
		PreToolHook aborting = (call) -> ToolDecision.abortRun("enough");
		this.runner.withBean("aborting", PreToolHook.class, () -> aborting).run((context) -> {
			CallContext run = CallContext.empty().withRunId("r1");
			assertThatExceptionOfType(RunAbortedException.class).isThrownBy(() -> context.getBean(ToolHookChain.class)
				.execute(ToolCall.of("t", Map.of(), run), (call) -> ToolResult.success("")));
			assertThatExceptionOfType(LlmCallAbortedException.class)
				.isThrownBy(() -> ask(context, LlmCall.of(LlmMessage.user("Hi")).withContext(run)));
		});
	}

	@Test
	void metricsTellHowCallsAndRunsEnded() {
		yaml("hooks: {llm_call: {pre_call: [{type: policy, config: {deny_patterns: [bad]}}]}}")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				ask(context, "bad");
				ask(context, "good");
				context.getBean(RunHookChain.class).begin(AgentRun.of("Hi", CallContext.empty())).cancel();
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				assertThat(meters.get("hooks.llm.call")
					.tags("outcome", "denied", "hook", "llm_call.policy#0")
					.timer()
					.count()).isEqualTo(1);
				assertThat(meters.get("hooks.llm.call").tags("outcome", "succeeded", "hook", "none").timer().count())
					.isEqualTo(1);
				assertThat(meters.get("hooks.run").tags("outcome", "cancelled").timer().count()).isEqualTo(1);
				assertThat(
						meters.get("hooks.hook").tags("hook", "llm_call.policy#0", "verdict", "deny").timer().count())
					.isEqualTo(1);
			});
	}

	@Test
	void notificationsOfWebhooksThatDoNotArriveAreCounted() {
		String webhook = "[{type: webhook, config: {url: 'http://127.0.0.1:1', timeout: 1s}}]";
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		yaml("hooks: {llm_call: {post_call: %s}, run: {post_run: %s}}".formatted(webhook, webhook))
			.withBean(MeterRegistry.class, () -> registry)
			.run((context) -> {
				ask(context, "Hi");
				context.getBean(RunHookChain.class).begin(AgentRun.of("Hi", CallContext.empty())).finish("Done", null);
				Awaitility.await().untilAsserted(() -> {
					assertThat(failed(registry, "llm_call.webhook#0")).isOne();
					assertThat(failed(registry, "run.webhook#0")).isOne();
				});
			});
	}

	private static double failed(MeterRegistry registry, String hook) {
		return registry.get("hooks.notifications.failed").tag("hook", hook).functionCounter().count();
	}

	@Test
	void withoutWebClientThereAreNoWebhooks() {
		ContextConsumer<AssertableApplicationContext> unknown = (context) -> assertThat(context.getStartupFailure())
			.rootCause()
			.message()
			.contains("which nothing adds here");
		yaml("hooks: {llm_call: {pre_call: [{type: webhook}]}}")
			.withClassLoader(new FilteredClassLoader(WebClient.class))
			.run(unknown);
	}

	@Configuration(proxyBeanMethods = false)
	static class Listening {

		@Bean
		PreRunHook listening() {
			return (run) -> RunDecision.approve();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		final List<LlmOutcome> outcomes = new CopyOnWriteArrayList<>();

		final List<LlmCallEvent> llmEvents = new CopyOnWriteArrayList<>();

		final List<RunEvent> runEvents = new CopyOnWriteArrayList<>();

		private static PreLlmHook appending(String text) {
			return (call) -> LlmDecision
				.modify(call.withMessages(List.of(LlmMessage.user(call.messages().get(0).text() + text))));
		}

		@Bean
		@Order(1)
		PreLlmHook first() {
			return (call) -> LlmDecision
				.modify(call.withMessages(List.of(LlmMessage.user("first " + call.messages().get(0).text()))));
		}

		@Bean
		PreLlmHook last() {
			return appending(" last");
		}

		@Bean
		PostLlmHook recording() {
			return this.outcomes::add;
		}

		@Bean
		PreRunHook blocking() {
			return (run) -> RunDecision.deny("no robots");
		}

		@Bean
		LlmHookFactory<Suffix> upper() {
			return LlmHookFactory.of("upper", Suffix.class, (name, config) -> appending(config.suffix()));
		}

		@Bean
		LlmHookFactory<Suffix> broken() {
			PreLlmHook hook = (call) -> {
				throw new IllegalStateException("broken");
			};
			return LlmHookFactory.of("broken", Suffix.class, (name, config) -> hook);
		}

		@Bean
		LlmHookFactory<Suffix> hanging() {
			return LlmHookFactory.of("hanging", Suffix.class, (name, config) -> (LlmHook) hangingHook());
		}

		private static PreLlmHook hangingHook() {
			return (call) -> {
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				return LlmDecision.deny("late");
			};
		}

		@EventListener
		void hear(LlmCallEvent event) {
			this.llmEvents.add(event);
		}

		@EventListener
		void hear(RunEvent event) {
			this.runEvents.add(event);
		}

	}

	record Suffix(String suffix) {
	}

	private static final class Recorder implements PostToolHook, PostLlmHook {

		@Override
		public String name() {
			return "recorder";
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			// Records nothing.
		}

		@Override
		public void postCall(LlmOutcome outcome) {
			// Records nothing.
		}

	}

}
