package io.agenthooks.spring.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.io.ByteArrayResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.HookRule;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for the audit of whole applications: {@link AuditAutoConfiguration},
 * {@link RecordMaker}, {@link AskedHooks}, {@link AuditHooks} and {@link AuditConfig}.
 */
@ExtendWith(OutputCaptureExtension.class)
class AuditAutoConfigurationTests {

	private static final String KEY = "\n    key: {id: k1, secret: " + TestAudit.SECRET + "}";

	@TempDir
	Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class, AuditAutoConfiguration.class, ToolCallMetricsAutoConfiguration.class,
				LlmAndRunMetricsAutoConfiguration.class))
		.withBean("meters", MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean("tools", ToolExecutor.class, Tools::new);

	@Test
	void recordSaysWhoDecidedWhatAndWhereTheRuleStands() {
		run(KEY, """
				  tool_call:
				    pre_call:
				      - type: policy
				        name: house-rules
				        config:
				          deny_tools: ["delete_*"]
				""",
				(context) -> context.getBean(ToolExecutor.class)
					.execute(ToolCall.of("delete_user", Map.of("name", "ada"),
							CallContext.ofSession("s1").withRunId("r1").withAgent("clerk").withUser("bob"))));
		JsonNode record = only("tool_call");
		assertThat(record.get("session").asString()).isEqualTo("s1");
		assertThat(record.get("run").asString()).isEqualTo("r1");
		assertThat(record.get("agent").asString()).isEqualTo("clerk");
		assertThat(record.get("user").asString()).isEqualTo("bob");
		assertThat(record.at("/tool/name").asString()).isEqualTo("delete_user");
		assertThat(record.get("arguments_hash").asString()).isEqualTo(TestAudit.KEY.content().of("{\"name\":\"ada\"}"));
		assertThat(record.get("arguments").toString()).isEqualTo("{\"name\":\"ada\"}");
		assertThat(record.at("/hooks/0/name").asString()).isEqualTo("house-rules");
		assertThat(record.at("/hooks/0/verdict").asString()).isEqualTo("deny");
		assertThat(record.get("verdict").asString()).isEqualTo("deny");
		assertThat(record.get("decided_by").asString()).isEqualTo("house-rules");
		assertThat(record.get("origin").asString()).startsWith("application.yaml:");
		assertThat(record.get("reason").asString()).contains("delete_user");
		assertThat(record.get("outcome").asString()).isEqualTo("denied");
		assertThat(record.get("config").asString()).isEqualTo(only("config").get("config").asString());
		assertThat(record.get("key").asString()).isEqualTo("k1");
		assertUnbroken();
	}

	@Test
	void recordSaysWhichPatternMatched() {
		run(KEY, """
				  tool_call:
				    pre_call:
				      - type: policy
				        name: house-rules
				        reason: Ask Ann.
				        config:
				          deny_argument_patterns: {command: ["su[d]o"]}
				""", (context) -> context.getBean(ToolExecutor.class)
			.execute(ToolCall.of("run", Map.of("command", "sudo ls"))));
		JsonNode record = only("tool_call");
		assertThat(record.get("reason").asString()).isEqualTo("Ask Ann.");
		assertThat(record.get("rule").asString()).isEqualTo("deny_argument_patterns.command");
		assertThat(record.get("rule_detail").asString()).contains("'su[d]o'");
		assertUnbroken();
	}

	@Test
	void recordSaysWhyAResultWasWithheld() {
		ToolResultHook hook = (call, result) -> ToolDecision.deny("list B")
			.withRule(HookRule.of("lists").withDetail("line 7"));
		this.contextRunner.withBean("withhold", ToolResultHook.class, () -> hook)
			.withInitializer((context) -> add(context, yaml(KEY, "")))
			.run((context) -> context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of())));
		JsonNode withheld = only("tool_call").at("/withheld/0");
		assertThat(withheld.get("by").asString()).isEqualTo("withhold");
		assertThat(withheld.get("reason").asString()).isEqualTo("list B");
		assertThat(withheld.get("rule").asString()).isEqualTo("lists");
		assertThat(withheld.get("rule_detail").asString()).isEqualTo("line 7");
		assertUnbroken();
	}

	@Test
	void totalsAgreeOverAuditMetricsAndEventsWhateverTheEnd() {
		Events events = new Events();
		this.contextRunner.withBean("events", Events.class, () -> events)
			.withBean("decider", PreToolHook.class, Decider::new)
			.withInitializer((context) -> add(context, yaml(KEY, "")))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				ToolHookChain chain = context.getBean(ToolHookChain.class);
				for (String tool : List.of("read", "modify", "deny", "respond", "abort", "throw", "fail", "explode",
						"null")) {
					for (int i = 0; i < 3; i++) {
						Throwable unused = catchThrowable(() -> tools.execute(ToolCall.of(tool, Map.of("a", 1))));
					}
				}
				chain.refuse(ToolCall.of("invented", Map.of()), "unknown-tool", "There is no such tool");
				context.getBean(ToolHooks.class).disableTools();
				tools.execute(ToolCall.of("read", Map.of()));
				LlmHookChain models = context.getBean(LlmHookChain.class);
				models.execute(LlmCall.of(LlmMessage.user("hi")), (call) -> LlmResponse.of("hello"));
				Throwable unused = catchThrowable(() -> models.execute(LlmCall.of(LlmMessage.user("hi")), (call) -> {
					throw new IllegalStateException("down");
				}));
				RunHookChain runs = context.getBean(RunHookChain.class);
				runs.begin(AgentRun.of("do it", CallContext.empty())).finish("done", null);
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				AuditLog log = context.getBean(AuditLog.class);
				assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
				assertThat(records("tool_call")).hasSize(29)
					.hasSize(events.tools.get())
					.hasSize((int) count(meters, "hooks.tool.call"));
				assertThat(records("llm_call")).hasSize(2)
					.hasSize(events.models.get())
					.hasSize((int) count(meters, "hooks.llm.call"));
				assertThat(records("run")).hasSize(1)
					.hasSize(events.runs.get())
					.hasSize((int) count(meters, "hooks.run"));
				assertThat(records("tool_call")).extracting((record) -> record.get("id").asString())
					.doesNotHaveDuplicates();
				assertThat(records("tool_call")).extracting((record) -> record.get("outcome").asString())
					.contains("succeeded", "denied", "answered", "aborted", "failed", "disabled");
			});
		assertUnbroken();
	}

	private static long count(MeterRegistry meters, String timer) {
		return meters.find(timer).timers().stream().mapToLong(Timer::count).sum();
	}

	@Test
	void changeOfTheHooksIsRecordedOnceAndCallsNameIt() {
		run(KEY, "", (context) -> {
			AuditLog log = context.getBean(AuditLog.class);
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			tools.execute(ToolCall.of("read", Map.of()));
			tools.execute(ToolCall.of("read", Map.of()));
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			context.getBean(ToolHooks.class).register("later", (PreToolHook) (call) -> ToolDecision.deny("no"));
			tools.execute(ToolCall.of("read", Map.of()));
		});
		assertThat(records("config")).hasSize(2);
		assertThat(records("config").get(1).toString()).contains("\"name\":\"later\"");
		List<String> versions = records("config").stream().map((record) -> record.get("config").asString()).toList();
		assertThat(records("tool_call")).extracting((record) -> record.get("config").asString())
			.containsExactly(versions.get(0), versions.get(0), versions.get(1));
		assertThat(records("tool_call").get(2).get("origin").asString()).isEqualTo("run time");
	}

	@Test
	void versionOfTheConfigurationDependsOnASecretThatStandsNowhere(CapturedOutput output) {
		String hooks = """
				  tool_call:
				    pre_call:
				      - type: policy
				        config: {deny_argument_patterns: {token: ["%s"]}}
				""";
		run(KEY, hooks.formatted("first-token-12345"), (context) -> {
		});
		run(KEY, hooks.formatted("other-token-67890"), (context) -> {
		});
		assertThat(records("config")).extracting((record) -> record.get("config").asString())
			.hasSize(2)
			.doesNotHaveDuplicates();
		assertThat(String.join("", TestAudit.lines(this.directory)) + output).doesNotContain("first-token",
				"other-token", TestAudit.SECRET);
	}

	@ParameterizedTest
	@CsvSource({ "none, false, false", "redacted, true, false", "full, true, true" })
	void argumentsAreRecordedAsConfigured(String arguments, boolean recorded, boolean secrets, CapturedOutput output) {
		run(KEY + "\n    arguments: " + arguments, "",
				(context) -> context.getBean(ToolExecutor.class)
					.execute(ToolCall.of("read", Map.of("path", "/etc/hosts", "password",
							Map.of("value", "hunter2-and-more"), "passwords", List.of("hunter2-and-more")))));
		JsonNode record = only("tool_call");
		assertThat(record.has("arguments")).isEqualTo(recorded);
		assertThat(record.toString().contains("/etc/hosts")).isEqualTo(recorded);
		assertThat(record.toString().contains("hunter2-and-more")).isEqualTo(secrets);
		assertThat(record.get("arguments_hash").asString()).hasSize(64);
		assertThat(output).doesNotContain("hunter2", "/etc/hosts");
	}

	@Test
	void changedArgumentsFailedAndObservingHooksAreNamed() {
		this.contextRunner.withBean("decider", PreToolHook.class, Decider::new)
			.withBean("shy", PreToolHook.class,
					() -> PreToolHook.observeOnly(PreToolHook.named("shy", (call) -> ToolDecision.deny("would"))))
			.withBean("curious", PreToolHook.class,
					() -> PreToolHook.observeOnly(PreToolHook.named("curious", (call) -> ToolDecision.ask("sure?"))))
			.withBean("weak", PreToolHook.class, () -> PreToolHook.failOpen(PreToolHook.named("weak", (call) -> {
				throw new IllegalStateException("secret text");
			})))
			.withInitializer((context) -> add(context, yaml(KEY, "")))
			.run((context) -> context.getBean(ToolExecutor.class)
				.execute(ToolCall.of("modify", Map.of("a", 1, "b", 2))));
		JsonNode record = only("tool_call");
		assertThat(record.get("changed").toString()).isEqualTo("[\"a\",\"c\"]");
		assertThat(record.get("would_deny").toString()).isEqualTo("[\"shy\"]");
		assertThat(record.get("failed_open").toString()).isEqualTo("[\"weak\"]");
		assertThat(record.get("hooks")
			.valueStream()
			.map((hook) -> hook.get("name").asString() + " " + hook.get("verdict").asString()))
			.containsExactlyInAnyOrder("decider modify", "shy deny", "curious ask", "weak failed");
		assertThat(record.toString()).doesNotContain("secret text");
	}

	@Test
	void callInsideOfAnotherOneWithItsIdHasHooksOfItsOwn() {
		this.contextRunner.withBean("decider", PreToolHook.class, Decider::new)
			.withInitializer((context) -> add(context, yaml(KEY, "")))
			.run((context) -> {
				ToolHookChain chain = context.getBean(ToolHookChain.class);
				CallContext caller = CallContext.ofSession("s1");
				chain.execute(ToolCall.of("c1", ToolIdentity.ofApplication("ask_agent"), Map.of(), caller),
						(call) -> chain.execute(ToolCall.of("c1", ToolIdentity.ofApplication("read"), Map.of(), caller),
								(inner) -> ToolResult.success("done")));
			});
		assertThat(records("tool_call")).hasSize(2)
			.allSatisfy(
					(record) -> assertThat(record.get("hooks").valueStream().map((hook) -> hook.get("name").asString()))
						.containsExactly("decider"));
	}

	@Test
	void strictAuditDeniesWhatCannotBeRecordedAlsoWhatAHookAnswers() {
		BrokenSink sink = new BrokenSink();
		this.contextRunner.withBean("sink", AuditSink.class, () -> sink)
			.withBean("decider", PreToolHook.class, Decider::new)
			.withInitializer((context) -> add(context, yaml(KEY + "\n    strict: true", "")))
			.run((context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				AuditLog log = context.getBean(AuditLog.class);
				assertThat(tools.execute(ToolCall.of("read", Map.of())).succeeded()).isTrue();
				assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
				sink.broken.set(true);
				assertThat(tools.execute(ToolCall.of("read", Map.of())).succeeded()).isTrue();
				Awaitility.await().atMost(TestAudit.LONG).until(() -> !log.isWritable());
				assertThat(tools.execute(ToolCall.of("read", Map.of())).content())
					.contains("The audit cannot be written");
				assertThat(tools.execute(ToolCall.of("respond", Map.of())).content())
					.contains("The audit cannot be written");
				LlmHookChain models = context.getBean(LlmHookChain.class);
				AtomicBoolean asked = new AtomicBoolean();
				Throwable unused = catchThrowable(() -> models.execute(LlmCall.of(LlmMessage.user("hi")), (call) -> {
					asked.set(true);
					return LlmResponse.of("hello");
				}));
				assertThat(asked).isFalse();
				assertThat(catchThrowable(
						() -> context.getBean(RunHookChain.class).begin(AgentRun.of("do it", CallContext.empty()))))
					.hasMessageContaining("The audit cannot be written");
				sink.broken.set(false);
				assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
				assertThat(tools.execute(ToolCall.of("read", Map.of())).succeeded()).isTrue();
			});
		assertThat(sink.kinds()).filteredOn("tool_call"::equals).hasSize(5);
	}

	@Test
	void applicationWithoutAuditHasNothingOfIt() {
		this.contextRunner.run((context) -> {
			assertThat(context).doesNotHaveBean(AuditLog.class).doesNotHaveBean(AskedHooks.class);
			assertThat(context.getBeansOfType(AuditHooks.class)).isEmpty();
		});
		this.contextRunner.withPropertyValues("hooks.audit.enabled=false", "hooks.audit.node=??")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AuditLog.class));
	}

	@Test
	void auditWithoutAKeySaysSo(CapturedOutput output) {
		run("", "", (context) -> context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of())));
		assertThat(output).contains("The audit has no key").contains("plain SHA-256");
		assertThat(only("tool_call").get("alg").asString()).isEqualTo("SHA-256");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					hooks.audit.node=n1                         | says neither 'enabled: true' nor 'enabled: false'
					hooks.audit.enabled=ture                    | is neither true nor false
					hooks.audit=true                            | is a single value
					hooks.audit.enabled=true,hooks.audit.strct=true | hooks.audit.strct' is not an option here
					hooks.audit.enabled=true,hooks.audit.arguments=most | hooks.audit.arguments
					hooks.audit.enabled=true,hooks.audit.node=a/b | is not a valid name of a node
					hooks.audit.enabled=true,hooks.audit.queue_size=0 | is out of range
					hooks.audit.enabled=true,hooks.audit.anchor.interval=0 | is out of range
					hooks.audit.enabled=true,hooks.audit.anchor.interval=600000 | is out of range
					hooks.audit.enabled=true,hooks.audit.anchor.interval=106752d | is out of range
					hooks.audit.enabled=true,hooks.audit.key.id=k1 | key.secret' is missing
					hooks.audit.enabled=true,hooks.audit.key.secret=0123456789abcdef0123456789abcdef | key.id' is missing
					hooks.audit.enabled=true,hooks.audit.key.id=k1,hooks.audit.key.secret=hunter2 | is too short
					hooks.audit.enabled=true,hooks.audit.key.id=k1,hooks.audit.key.secret=hunter2hunter2hunter2hunter2hunter2 | same few characters
					hooks.audit.enabled=true,hooks.audit.key.id=k1,hooks.audit.key.secret=changeme-changeme-changeme-changeme | can be guessed
					hooks.audt.enabled=true                     | hooks.audt' is not known
					""")
	void mistakeStopsTheStartAndQuotesNoSecret(String properties, String message) {
		this.contextRunner.withPropertyValues(properties.trim().split(",")).run((context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat(failure).isNotNull();
			assertThat(all(failure)).contains(message).doesNotContain("hunter2");
		});
	}

	private static String all(Throwable failure) {
		StringBuilder text = new StringBuilder();
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			text.append(cause.getMessage()).append('\n');
		}
		return text.toString();
	}

	@Test
	void chainOfTheApplicationThatTellsTheAuditNothingStopsTheStart() {
		this.contextRunner.withBean("own", ToolHookChain.class, () -> new ToolHookChain(List.of(), List.of()))
			.withInitializer((context) -> add(context, yaml(KEY, "")))
			.run((context) -> assertThat(all(Objects.requireNonNull(context.getStartupFailure())))
				.contains("The audit would record no tool_call"));
	}

	@Test
	void directoryThatCannotBeWrittenStopsTheStart() throws IOException {
		Files.writeString(this.directory.resolve("audit"), "a file");
		this.contextRunner.withInitializer((context) -> add(context, yaml(KEY, "")))
			.run((context) -> assertThat(all(Objects.requireNonNull(context.getStartupFailure())))
				.contains("The audit cannot be written to"));
	}

	@Test
	void namesThatAModelInventsAreCutAndMemoryIsBounded() {
		run(KEY, "", (context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			tools.execute(ToolCall.of("x".repeat(100_000), Map.of("y".repeat(100), "\u202e\n")));
			for (int i = 0; i < 20_000; i++) {
				tools.execute(ToolCall.of("invented_" + i, Map.of()));
			}
		});
		assertThat(records("tool_call").get(0).at("/tool/name").asString()).hasSizeLessThan(600);
		assertThat(TestAudit.lines(this.directory)).allMatch((line) -> line.length() < 3000)
			.allMatch((line) -> line.chars().allMatch((character) -> character >= ' ' && character <= '~'));
		assertUnbroken();
	}

	@ParameterizedTest
	@CsvSource({ "redacted", "full" })
	void argumentsThatCannotBeWrittenDoNotHideTheCall(String arguments) {
		run(KEY + "\n    arguments: " + arguments, "", (context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			tools.execute(ToolCall.of("read", Map.of("a", BigInteger.TEN.pow(5000))));
			tools.execute(ToolCall.of("read", Map.of("a", "x".repeat(2_000_000))));
			tools.execute(ToolCall.of("read", Map.of("a", "\ud83d")));
		});
		assertThat(records("tool_call")).hasSize(3).allSatisfy((record) -> {
			assertThat(record.at("/tool/name").asString()).isEqualTo("read");
			assertThat(record.get("arguments_hash").asString()).hasSize(64);
			assertThat(record.has("undescribed")).isFalse();
		});
		assertUnbroken();
	}

	@Test
	void recordsOfFormerKeysAreVerifiedAfterARotation() throws IOException {
		String second = "\n    key: {id: k2, secret: " + "bcdefghi".repeat(4) + "}";
		String third = "\n    key: {id: k3, secret: " + "cdefghij".repeat(4) + "}";
		String former = "\n    former_keys:\n      - {id: k1, secret: " + TestAudit.SECRET
				+ "}\n      - {id: k2, secret: " + "bcdefghi".repeat(4) + "}";
		for (String key : List.of(KEY, second)) {
			run(key, "", (context) -> context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of())));
		}
		run(third, "", (context) -> {
			AuditVerification.Problem problem = problemOf(context);
			assertThat(problem).isNotNull();
			assertThat(problem.kind()).isEqualTo(AuditVerification.Kind.UNKNOWN_KEY);
			assertThat(problem.message()).contains("'k1'");
		});
		run(third + former, "", (context) -> assertThat(problemOf(context)).isNull());
		assertThat(records("start")).extracting((record) -> record.get("key").asString())
			.containsExactly("k1", "k2", "k3", "k3");
		Path file = TestAudit.files(this.directory).get(0);
		Files.writeString(file, Files.readString(file).replaceFirst("\"name\":\"read\"", "\"name\":\"list\""));
		run(third + former, "", (context) -> {
			AuditVerification.Problem problem = problemOf(context);
			assertThat(problem).isNotNull();
			assertThat(problem.kind()).isEqualTo(AuditVerification.Kind.CHANGED);
		});
	}

	private static AuditVerification.@Nullable Problem problemOf(AssertableApplicationContext context) {
		try {
			return context.getBean(AuditReports.class).verify(() -> false).nodes().get(0).problem();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					{id: k1, secret: dddddddddddddddddddddddddddddddd} | former_keys[0].id | is that of the active key
					{id: k0, secret: dddddddddddddddddddddddddddddddd}, {id: k0, secret: dddddddddddddddddddddddddddddddd} | former_keys[1].id | is there a second time
					{id: "a/b", secret: dddddddddddddddddddddddddddddddd} | former_keys[0].id | is not a valid name of a key
					{secret: dddddddddddddddddddddddddddddddd} | former_keys[0].id | is missing
					{id: k0, secret: dddddddd} | former_keys[0].secret | is too short
					{id: k0} | former_keys[0].secret | is missing
					{id: k0, secret: dddddddddddddddddddddddddddddddd, since: 2026} | former_keys[0].since | is not an option here
					""")
	void mistakeInAFormerKeyStopsTheStartAndShowsNoSecret(String former, String place, String message) {
		String keys = KEY + "\n    former_keys: [" + former + "]";
		this.contextRunner.withInitializer((context) -> add(context, yaml(keys, ""))).run((context) -> {
			String failure = all(Objects.requireNonNull(context.getStartupFailure()));
			assertThat(failure).contains("'hooks.audit." + place + "'", message).doesNotContain("dddd");
		});
	}

	private void run(String audit, String hooks, Consumer<AssertableApplicationContext> test) {
		this.contextRunner.withInitializer((context) -> add(context, yaml(audit, hooks))).run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
	}

	private String yaml(String audit, String hooks) {
		return """
				hooks:
				  audit:
				    enabled: true
				    node: n1
				    file: {path: "%s"}
				    anchor: {file: "%s"}""".formatted(this.directory.resolve("audit"),
				this.directory.resolve("anchors/n1.jsonl")) + audit + "\n" + hooks;
	}

	private static void add(ConfigurableApplicationContext context, String yaml) {
		ByteArrayResource resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)) {
			@Override
			public String getDescription() {
				return "application.yaml";
			}
		};
		try {
			new YamlPropertySourceLoader().load("application.yaml", resource)
				.forEach((source) -> context.getEnvironment().getPropertySources().addFirst(source));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private List<JsonNode> records(String kind) {
		JsonMapper mapper = new JsonMapper();
		return TestAudit.lines(this.directory)
			.stream()
			.map(mapper::readTree)
			.filter((record) -> record.get("kind").asString().equals(kind))
			.toList();
	}

	private JsonNode only(String kind) {
		List<JsonNode> records = records(kind);
		assertThat(records).hasSize(1);
		return records.get(0);
	}

	private void assertUnbroken() {
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
	}

	private static final class Tools implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return switch (call.tool()) {
				case "fail" -> ToolResult.failure("failed");
				case "explode" -> throw new IllegalStateException("exploded");
				default -> ToolResult.success("done");
			};
		}

	}

	private static final class Decider implements PreToolHook {

		@Override
		public String name() {
			return "decider";
		}

		@Override
		@SuppressWarnings("NullAway") // which a hook must not return
		public ToolDecision preCall(ToolCall call) {
			return switch (call.tool()) {
				case "modify" -> ToolDecision.modify(Map.of("b", 2, "c", 3));
				case "deny" -> ToolDecision.deny("no");
				case "respond" -> ToolDecision.respond(ToolResult.success("answered"));
				case "abort" -> ToolDecision.abortTurn("enough");
				case "throw" -> throw new IllegalStateException("thrown");
				case "null" -> null;
				default -> ToolDecision.approve();
			};
		}

	}

	static final class Events {

		final AtomicInteger tools = new AtomicInteger();

		final AtomicInteger models = new AtomicInteger();

		final AtomicInteger runs = new AtomicInteger();

		@EventListener
		void on(ToolCallEvent.Ended event) {
			this.tools.incrementAndGet();
		}

		@EventListener
		void on(LlmCallEvent.Ended event) {
			this.models.incrementAndGet();
		}

		@EventListener
		void on(RunEvent.Ended event) {
			this.runs.incrementAndGet();
		}

	}

	private static final class BrokenSink implements AuditSink {

		final AtomicBoolean broken = new AtomicBoolean();

		private final List<AuditRecord> records = new ArrayList<>();

		@Override
		public @Nullable String lastLine(String node) {
			return null;
		}

		@Override
		public synchronized void write(List<AuditRecord> records) throws IOException {
			if (this.broken.get()) {
				throw new IOException("The database is down");
			}
			this.records.addAll(records);
		}

		synchronized List<String> kinds() {
			return this.records.stream().map(AuditRecord::kind).toList();
		}

	}

}
