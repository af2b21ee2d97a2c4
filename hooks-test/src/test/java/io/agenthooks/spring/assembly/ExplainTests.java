package io.agenthooks.spring.assembly;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import com.sun.net.httpserver.HttpServer;
import dev.langchain4j.agent.tool.Tool;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.io.FileSystemResource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.HookOutcome;
import io.agenthooks.HookRule;
import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.Explanation;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.audit.AuditAutoConfiguration;
import io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link Explainer}, and for the rules that decisions name.
 */
class ExplainTests {

	private static final ToolCall CALL = ToolCall.of("read", Map.of("a", "b"));

	@TempDir
	Path folder;

	private final List<HookOutcome> outcomes = new ArrayList<>();

	private final List<ToolCallEvent> events = new ArrayList<>();

	private final List<ToolCall> ran = new ArrayList<>();

	private final AtomicInteger asked = new AtomicInteger();

	private ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class, AuditAutoConfiguration.class, ToolCallMetricsAutoConfiguration.class,
				LlmAndRunMetricsAutoConfiguration.class))
		.withBean("meters", MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean("tools", ToolExecutor.class, () -> new Tools(this.ran))
		.withBean("slack", ToolApprover.class, () -> (call, question) -> {
			this.asked.incrementAndGet();
			return ToolDecision.approve().answeredBy("alice");
		})
		.withBean("ended", PostToolHook.class, () -> this.outcomes::add)
		.withBean("llmEnded", PostLlmHook.class, () -> this.outcomes::add)
		.withBean("runEnded", PostRunHook.class, () -> this.outcomes::add);

	@Test
	void hooksThatReachFurtherThanTheCallAreNotAskedUnlessLive() throws IOException {
		try (Endpoint endpoint = new Endpoint("{\"verdict\":\"deny\",\"reasoning\":\"not today\"}")) {
			String yaml = preCall("""
					- type: webhook
					  name: risk
					  config: {url: "http://localhost:%d/"}
					- type: cache
					  name: memory
					  match: ["look_*"]
					- type: policy
					  name: rules
					  config:
					    deny_tools:
					      - "rm"
					      - "delete_*"
					- type: bean
					  config: {bean: counting}
					""".formatted(endpoint.port()));
			run(yaml, (context) -> {
				ToolCall call = ToolCall.of("delete_x", Map.of());
				Explanation explanation = hooks(context).explain(call);
				assertThat(explanation.verdict()).isEqualTo(Verdict.DENY);
				assertThat(explanation.decidedBy()).isEqualTo("rules");
				assertThat(explanation.reason()).isEqualTo("The policy denies the tool 'delete_x'");
				assertThat(explanation.isComplete()).isFalse();
				assertThat(explanation.hooks())
					.extracting(Explanation.Answer::name, Explanation.Answer::type, Explanation.Answer::verdict,
							Explanation.Answer::rule)
					.containsExactly(tuple("risk", "webhook", null, null),
							tuple("rules", "policy", Verdict.DENY, "deny_tools"),
							tuple("counting", "bean", null, null));
				assertThat(explanation.hooks().get(0).origin()).endsWith("application.yaml:4:15");
				assertThat(explanation.hooks().get(1).origin()).endsWith("application.yaml:10:15");
				assertThat(explanation.hooks().get(1).ruleOrigin()).endsWith("application.yaml:15:15");
				assertThat(endpoint.requests).hasValue(0);
				assertThat(this.asked).hasValue(0);
				Explanation live = hooks(context).explain(call, true);
				assertThat(live.isComplete()).isTrue();
				assertThat(live.decidedBy()).isEqualTo("risk");
				assertThat(live.reason()).isEqualTo("not today");
				assertThat(live.hooks()).extracting(Explanation.Answer::verdict)
					.containsExactly(Verdict.DENY, Verdict.DENY, Verdict.APPROVE);
				assertThat(endpoint.requests).hasValue(1);
				assertThat(this.asked).hasValue(1);
			}, "counting", (call) -> {
				this.asked.incrementAndGet();
				return ToolDecision.approve();
			});
		}
	}

	@Test
	void explanationLeavesNoTrace() {
		run(preCall("""
				- type: cache
				  name: memory
				  config: {scope: global}
				- type: policy
				  name: slow
				  timeout: 30s
				  config: {ask_tools: ["pay"]}
				- type: policy
				  name: trial
				  mode: observe
				  config: {deny_tools: ["*"]}
				- type: policy
				  name: rules
				  config:
				    rules:
				      - {tools: ["loop"], then: abort}
				"""), (context) -> {
			context.getBean(ToolExecutor.class).execute(CALL);
			String meters = meters(context);
			int events = this.events.size();
			int outcomes = this.outcomes.size();
			CallContext run = CallContext.ofSession("s").withRunId("r");
			for (boolean live : new boolean[] { false, true }) {
				for (String tool : List.of("read", "pay", "loop", "no such name", "invented_" + live)) {
					hooks(context).explain(ToolCall.of(tool, Map.of("q", 1), run), live);
				}
			}
			assertThat(hooks(context).explain(ToolCall.of("loop", Map.of(), run)).verdict()).isEqualTo(Verdict.ABORT);
			assertThat(context.getBean(AbortedRuns.class).isEmpty()).isTrue();
			assertThat(meters(context)).isEqualTo(meters);
			assertThat(this.events).hasSize(events);
			assertThat(this.outcomes).hasSize(outcomes);
			assertThat(this.ran).hasSize(1);
			assertThat(this.asked).hasValue(0);
			// What was explained fills no cache either
			context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of("q", 1), run));
			assertThat(this.ran).hasSize(2);
		});
		assertThat(recorded()).filteredOn((line) -> line.contains("\"kind\":\"tool_call\"")).hasSize(2);
	}

	@Test
	void hooksBehindADenialAreExplainedAboutTheCallAsTheyWouldSeeIt() {
		run(preCall("""
				- type: policy
				  name: first
				  config: {deny_tools: ["read"]}
				- type: bean
				  config: {bean: rewriting}
				- type: policy
				  name: last
				  config: {deny_argument_patterns: {a: ["changed"]}}
				- type: respond
				  name: stub
				  config: {content: "stub"}
				"""), (context) -> {
			Explanation explanation = hooks(context).explain(CALL);
			assertThat(explanation.decidedBy()).isEqualTo("first");
			assertThat(explanation.call()).isEqualTo(CALL);
			assertThat(explanation.hooks()).extracting(Explanation.Answer::name, Explanation.Answer::verdict)
				.containsExactly(tuple("first", Verdict.DENY), tuple("rewriting", Verdict.MODIFY),
						tuple("last", Verdict.DENY), tuple("stub", Verdict.RESPOND));
			hooks(context).disableTools();
			Explanation off = hooks(context).explain(CALL);
			assertThat(off.decidedBy()).isEqualTo("kill-switch");
			assertThat(off.hooks()).hasSize(5)
				.first()
				.satisfies((answer) -> assertThat(answer.type()).isEqualTo("built-in"));
		}, "rewriting", new Rewriting());
	}

	@Test
	void whatTheToolDoesNotAcceptIsExplained() {
		run(preCall("- {type: passthrough}\n"), (context) -> {
			Explanation explanation = hooks(context).explain(ToolCall.of("picky", Map.of()));
			assertThat(explanation.verdict()).isEqualTo(Verdict.DENY);
			assertThat(explanation.decidedBy()).isEqualTo("arguments");
			assertThat(explanation.reason()).isEqualTo("'a' is missing");
			assertThat(hooks(context).explain(ToolCall.of("picky", Map.of("a", 1))).verdict())
				.isEqualTo(Verdict.APPROVE);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null", textBlock = """
			read     |        | {"path":"a"} | APPROVE | true
			read     |        | {"path":1}   | DENY    | true
			read     | github | {"path":1}   | APPROVE | false
			twofold  |        | {"path":1}   | APPROVE | false
			opaque   |        | {}           | APPROVE | false
			listed   |        | {}           | DENY    | true
			listed   | github | {}           | APPROVE | false
			invented |        | {}           | APPROVE | false
			denied   |        | {}           | DENY    | true
			asked    |        | {}           | ASK     | false
			""")
	void explanationIsCompleteOnlyIfItIsKnownWhatTheToolAccepts(String tool, @Nullable String server, String arguments,
			Verdict verdict, boolean complete) {
		String yaml = preCall("""
				- type: policy
				  name: rules
				  config: {deny_tools: ["denied"], ask_tools: ["asked"]}
				""");
		ApplicationContextRunner before = this.runner;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withBean("asks", ToolApprover.class, () -> (call, question) -> ToolDecision.approve())
			.withBean("named", ToolExecutor.class, Named::new)
			.withBean("read", ToolCallback.class, () -> new Callback("read"))
			.withBean("twofold", ToolCallback.class, () -> new Callback("twofold"))
			.withBean(Methods.class);
		try {
			run(yaml, (context) -> {
				ToolIdentity identity = (server != null) ? ToolIdentity.onServer(server, tool, tool)
						: ToolIdentity.ofApplication(tool);
				Explanation explanation = hooks(context)
					.explain(ToolCall.of("1", identity, json(arguments), CallContext.empty()));
				assertThat(explanation.verdict()).isEqualTo(verdict);
				assertThat(explanation.isComplete()).isEqualTo(complete);
			});
		}
		finally {
			this.runner = before;
		}
	}

	@Test
	void hookThatExplainsTheCallItIsAskedAboutIsNotAskedForEver() {
		run(preCall("- {type: bean, config: {bean: curious}}\n"), (context) -> {
			Curious curious = context.getBean(Curious.class);
			curious.hooks = hooks(context);
			assertThat(hooks(context).explain(CALL).verdict()).isEqualTo(Verdict.DENY);
			context.getBean(ToolExecutor.class).execute(CALL);
			assertThat(this.ran).isEmpty();
		}, "curious", new Curious());
	}

	@Test
	void explanationDoesNotQuoteArguments() {
		run(preCall("- {type: policy, config: {deny_any_argument_patterns: [\"secret\"]}}\n"), (context) -> {
			Explanation explanation = hooks(context).explain(ToolCall.of("t", Map.of("a", "my secret value")));
			assertThat(explanation.verdict()).isEqualTo(Verdict.DENY);
			assertThat(explanation.toString()).contains("verdict=deny").doesNotContain("secret");
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			rm       | {}                     | deny_tools                   | 8:24
			del_x    | {}                     | deny_tools                   | 8:30
			run      | {"command":"x sudo"}   | deny_argument_patterns.command | 11:23
			run      | {"filePath":"/etc/x"}  | deny_argument_patterns.filePath | 12:32
			run      | {"x":"BEGIN"}          | deny_any_argument_patterns   | 13:44
			other    | {}                     | allow_tools                  | 9:25
			run      | {"f":"drop table x"}   | sql-ddl/drop                 | 14:19
			refund   | {"amount":600}         | big-refunds                  | 16:21
			run      | {"n":1}                | rules[1]                     | 20:21
			""")
	void outcomeNamesTheRuleAndItsPlace(String tool, String arguments, String rule, String place) {
		run("""
				hooks:
				  audit: {file: {path: "%s"}}
				  tool_call:
				    pre_call:
				      - type: policy
				        name: rules
				        config:
				          deny_tools: ["rm", "del_*"]
				          allow_tools: ["run", "refund"]
				          deny-argument-patterns:
				            command: ["sudo"]
				            filePath: ["^/no", "^/etc"]
				          denyAnyArgumentPatterns: ["ZZZ", "BEGIN"]
				          packs: ["sql-ddl"]
				          rules:
				            - name: big-refunds
				              tools: [refund]
				              when: "args.amount > 500"
				              then: deny
				            - when: "has(args.n)"
				              then: deny
				""".formatted(this.folder.resolve("audit")), (context) -> {
			ToolCall call = ToolCall.of(tool, json(arguments));
			context.getBean(ToolExecutor.class).execute(call);
			HookRule decided = this.outcomes.get(0).rule();
			assertThat(decided).isNotNull();
			assertThat(decided.name()).isEqualTo(rule);
			assertThat(decided.origin()).endsWith("application.yaml:" + place);
			assertThat(hooks(context).explain(call).hooks().get(0).ruleOrigin()).isEqualTo(decided.origin());
		});
		assertThat(recorded()).last().satisfies((line) -> assertThat(line).doesNotContain("\"kind\":\"tool_call\""));
		assertThat(recorded()).anySatisfy((line) -> assertThat(line).contains("\"rule\":\"" + rule + "\"")
			.contains("application.yaml:" + place + "\""));
	}

	@Test
	void outcomesOfModelCallsAndRunsNameTheRule() {
		run("""
				hooks:
				  llm_call:
				    pre_call:
				      - type: policy
				        config:
				          deny_patterns: ["none", "salary"]
				          rules:
				            - name: no-tools
				              when: "messages.exists(m, m.text.contains('boss'))"
				              then: deny
				    post_call:
				      - type: policy
				        config: {deny_patterns: ["password"]}
				  run:
				    pre_run:
				      - type: policy
				        config:
				          rules:
				            - {name: short, when: "prompt.size() > 10", then: abort}
				""", (context) -> {
			LlmHookChain models = context.getBean(LlmHookChain.class);
			models.execute(LlmCall.of(LlmMessage.user("my salary")), (call) -> LlmResponse.of("hello"));
			models.execute(LlmCall.of(LlmMessage.user("to my boss")), (call) -> LlmResponse.of("hello"));
			Throwable unused = catchThrowable(() -> context.getBean(RunHookChain.class)
				.begin(AgentRun.of("a prompt that is too long", CallContext.empty())));
			assertThat(this.outcomes)
				.extracting((outcome) -> String.valueOf(outcome.rule()).replaceAll("=[^=,]*/", "="))
				.containsExactly(
						"HookRule[name=deny_patterns, origin=application.yaml:6:35, detail=it matches the pattern 'salary']",
						"HookRule[name=no-tools, origin=application.yaml:8:21, detail=null]",
						"HookRule[name=short, origin=application.yaml:19:22, detail=null]");
		});
	}

	@Test
	void outcomeAndAuditSayWhoApproved() {
		run(preCall("""
				- type: policy
				  name: money
				  config: {ask_tools: ["pay_*"]}
				"""), (context) -> {
			context.getBean(ToolExecutor.class).execute(ToolCall.of("pay_bill", Map.of()));
			ToolOutcome outcome = (ToolOutcome) this.outcomes.get(0);
			assertThat(outcome.approval())
				.hasToString("Approval[askedBy=money, answer=approve, approver=slack, person=alice]");
			assertThat(outcome.rule()).isNull();
		});
		assertThat(recorded()).anySatisfy((line) -> assertThat(line).contains(
				"\"approval\":{\"answer\":\"approve\",\"approver\":\"slack\"", "\"person\":\"alice\"",
				"\"asked_by\":\"money\"", "\"rule\":\"ask_tools\"", "application.yaml:6:30\""));
	}

	@Test
	void auditSaysThatThePersonDeniedAndWhichRuleAsked() {
		ApplicationContextRunner before = this.runner;
		this.runner = this.runner.withBean("desk", ToolApprover.class,
				() -> (call, question) -> ToolDecision.deny("not today").answeredBy("bob"),
				(definition) -> definition.setPrimary(true));
		try {
			run(preCall("""
					- type: policy
					  name: money
					  config: {ask_tools: ["pay_*"]}
					"""), (context) -> context.getBean(ToolExecutor.class).execute(ToolCall.of("pay_bill", Map.of())));
		}
		finally {
			this.runner = before;
		}
		assertThat(recorded()).anySatisfy((line) -> assertThat(line).contains("\"verdict\":\"deny\"",
				"\"decided_by\":\"desk\",\"rule\":\"ask_tools\"", "\"reason\":\"not today\"",
				"\"approver\":\"desk\",\"person\":\"bob\",\"asked_by\":\"money\""));
	}

	private String preCall(String entries) {
		return "hooks:\n  tool_call:\n    pre_call:\n" + entries.indent(6) + "  audit:\n    file: {path: \""
				+ this.folder.resolve("audit") + "\"}\n";
	}

	private void run(String yaml, Consumer<ApplicationContext> test) {
		run(yaml, test, "unused", new Rewriting() {

			@Override
			public ToolDecision preCall(ToolCall call) {
				return ToolDecision.approve();
			}

		});
	}

	private void run(String yaml, Consumer<ApplicationContext> test, String name, PreToolHook bean) {
		ApplicationContextRunner runner = this.runner.withInitializer((context) -> {
			Path file = this.folder.resolve("application.yaml");
			try {
				Files.writeString(file, yaml);
				new YamlPropertySourceLoader().load("application.yaml", new FileSystemResource(file))
					.forEach((source) -> context.getEnvironment().getPropertySources().addFirst(source));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			context.addApplicationListener((ApplicationListener<PayloadApplicationEvent<ToolCallEvent>>) (event) -> {
				if (((Object) event.getPayload()) instanceof ToolCallEvent told) {
					this.events.add(told);
				}
			});
		}).withPropertyValues("hooks.audit.enabled=true", "hooks.audit.file.path=" + this.folder.resolve("audit"));
		if (!name.equals("unused")) {
			runner = runner.withBean(name, PreToolHook.class, () -> bean);
		}
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
	}

	private static ToolHooks hooks(ApplicationContext context) {
		return context.getBean(ToolHooks.class);
	}

	/**
	 * All that is counted of hooks and calls; what is measured at other times is left
	 * out.
	 */
	private static String meters(ApplicationContext context) {
		StringBuilder all = new StringBuilder();
		for (Meter meter : context.getBean(MeterRegistry.class).getMeters()) {
			all.append(meter.getId()).append(' ');
			meter.measure().forEach((measurement) -> all.append(measurement.getValue()).append(' '));
			all.append('\n');
		}
		return all.toString();
	}

	private List<String> recorded() {
		try (var files = Files.list(this.folder.resolve("audit"))) {
			List<String> lines = new ArrayList<>();
			for (Path file : files.sorted().toList()) {
				if (file.toString().endsWith(".jsonl")) {
					lines.addAll(Files.readAllLines(file));
				}
			}
			return lines;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Map<String, Object> json(String text) {
		return new JsonMapper().readValue(text, new TypeReference<Map<String, Object>>() {
		});
	}

	/**
	 * Says its tools, which accept nothing.
	 */
	private static final class Named implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("listed", "denied");
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			return "'a' is missing";
		}

	}

	private record Callback(String name) implements ToolCallback {

		@Override
		public ToolDefinition getToolDefinition() {
			return ToolDefinition.builder()
				.name(this.name)
				.description("Reads")
				.inputSchema("{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},"
						+ "\"additionalProperties\":false}")
				.build();
		}

		@Override
		public String call(String input) {
			return "ran";
		}

	}

	/**
	 * Tools of LangChain4j.
	 */
	static final class Methods {

		@Tool(name = "opaque")
		String opaque() {
			return "ran";
		}

		@Tool(name = "twofold")
		String twofold(String path) {
			return "ran";
		}

	}

	private record Tools(List<ToolCall> ran) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			this.ran.add(call);
			return ToolResult.success("ran");
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			return (call.tool().equals("picky") && !call.arguments().containsKey("a")) ? "'a' is missing" : null;
		}

	}

	/**
	 * Changes what it sees.
	 */
	private static class Rewriting implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.modify(Map.of("a", "changed"));
		}

		@Override
		public boolean isExplainable() {
			return true;
		}

	}

	/**
	 * Asks what would happen.
	 */
	private static final class Curious extends Rewriting {

		private @Nullable ToolHooks hooks;

		@Override
		public ToolDecision preCall(ToolCall call) {
			Explanation explanation = Objects.requireNonNull(this.hooks).explain(call);
			return (explanation.verdict() == Verdict.APPROVE) ? ToolDecision.approve() : ToolDecision.deny("no");
		}

	}

	private static final class Endpoint implements AutoCloseable {

		private final AtomicInteger requests = new AtomicInteger();

		private final HttpServer server;

		Endpoint(String reply) throws IOException {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			this.server.createContext("/", (exchange) -> {
				this.requests.incrementAndGet();
				exchange.getRequestBody().readAllBytes();
				byte[] body = reply.getBytes(StandardCharsets.UTF_8);
				exchange.getResponseHeaders().add("Content-Type", "application/json");
				exchange.sendResponseHeaders(200, body.length);
				exchange.getResponseBody().write(body);
				exchange.close();
			});
			this.server.start();
		}

		int port() {
			return this.server.getAddress().getPort();
		}

		@Override
		public void close() {
			this.server.stop(0);
		}

	}

}
