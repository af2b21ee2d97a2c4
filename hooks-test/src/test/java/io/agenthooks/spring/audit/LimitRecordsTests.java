package io.agenthooks.spring.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.limit.JdbcLimitAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what records say about limits, from the configuration to the record.
 */
class LimitRecordsTests {

	private static final String TOOLS = """
			  tool_call:
			    pre_call:
			      - name: limited
			""";

	@TempDir
	Path directory;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("spring.application.name=shop")
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				AuditAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"));

	@Test
	void recordSaysWhatARateLimitHasLeftAndWhenItIsNew() {
		Instant before = Instant.now();
		run(this.runner, TOOLS + """
				        type: rate_limit
				        config: {limit: 2 per 1h, key: session}
				""", (context) -> refund(context, 1, 1, 1));
		assertThat(limits("tool_call")).hasSize(3);
		assertThat(remaining("tool_call")).containsExactly("1", "0", "0");
		assertThat(limits("tool_call")).allSatisfy((limit) -> {
			assertThat(limit.propertyNames()).containsExactly("remaining", "reset");
			assertThat(Instant.parse(limit.get("reset").asString())).isBetween(before,
					Instant.now().plus(Duration.ofHours(1)));
		});
		assertThat(records("tool_call").get(2).get("verdict").asString()).isEqualTo("deny");
	}

	@Test
	void whatNeverComesBackHasNoReset() {
		run(this.runner, TOOLS + """
				        type: rate_limit
				        config: {limit: 1 per session, count: succeeded}
				""", (context) -> refund(context, 1, 1));
		assertThat(limits("tool_call")).extracting(JsonNode::toString)
			.containsExactly("{\"remaining\":0}", "{\"remaining\":0}");
	}

	@Test
	void recordSaysWhatABudgetHasLeftToTheLastDigit() {
		Clock noon = Clock.fixed(Instant.parse("2026-11-22T12:00:00Z"), ZoneOffset.UTC);
		run(this.runner.withBean(Clock.class, () -> noon), TOOLS + """
				        type: budget
				        config: {limit: 100, sum: args.amount, key: session, per: day}
				""", (context) -> refund(context, 33.3, 60, 10));
		assertThat(limits("tool_call")).extracting(JsonNode::toString)
			.containsExactly("{\"remaining\":66.7,\"reset\":\"2026-11-23T00:00:00Z\"}",
					"{\"remaining\":6.7,\"reset\":\"2026-11-23T00:00:00Z\"}",
					"{\"remaining\":6.7,\"reset\":\"2026-11-23T00:00:00Z\"}");
		assertThat(records("tool_call").get(2).get("verdict").asString()).isEqualTo("deny");
	}

	@Test
	void recordSaysHowManyPlacesAreFreeAndHowManyRepeatsPass() {
		run(this.runner, TOOLS + """
				        type: concurrency
				        config: {max_concurrent: 3}
				      - name: no-loops
				        type: loop
				        config: {repeats: {deny: 2}}
				""", (context) -> refund(context, 5, 5, 5));
		assertThat(remaining("tool_call")).containsExactly("2", "2", "2");
		assertThat(records("tool_call")).extracting((record) -> record.at("/hooks/1/limit").toString())
			.containsExactly("{\"remaining\":1}", "{\"remaining\":0}", "{\"remaining\":0}");
	}

	@Test
	void recordOfAModelCallSaysWhatWasLeftBeforeIt() {
		run(this.runner, """
				  llm_call:
				    pre_call:
				      - name: limited
				        type: budget
				        config: {limit: 1000, sum: tokens, per: session}
				""", (context) -> {
			LlmHookChain models = context.getBean(LlmHookChain.class);
			for (int i = 0; i < 2; i++) {
				models.execute(
						new LlmCall("call" + i, List.of(LlmMessage.user("hi")), null, Map.of(), List.of(),
								CallContext.ofSession("s1")),
						(call) -> new LlmResponse("hello", List.of(), "stop", new LlmUsage(200, 100), null, null));
			}
		});
		assertThat(remaining("llm_call")).containsExactly("1000", "700");
	}

	@Test
	void limitThatNodesShareSaysWhatIsLeft() {
		JdbcConnectionPool database = JdbcConnectionPool
			.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		run(this.runner.withConfiguration(AutoConfigurations.of(JdbcLimitAutoConfiguration.class))
			.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.limit.store=jdbc"), TOOLS + """
					        type: rate_limit
					        config: {limit: 2 per session}
					      - name: budget
					        type: budget
					        config: {limit: 3, per: session}
					""", (context) -> refund(context, 1, 1, 1));
		database.dispose();
		assertThat(records("tool_call")).extracting((record) -> record.at("/hooks/0/limit").toString())
			.containsExactly("{\"remaining\":1}", "{\"remaining\":0}", "{\"remaining\":0}");
		assertThat(records("tool_call")).extracting((record) -> record.at("/hooks/1/limit").toString())
			.containsExactly("{\"remaining\":2}", "{\"remaining\":1}", "");
	}

	private static void refund(AssertableApplicationContext context, double... amounts) {
		for (double amount : amounts) {
			context.getBean(ToolExecutor.class)
				.execute(ToolCall.of("refund", Map.of("amount", amount), CallContext.ofSession("secret-session")));
		}
	}

	/**
	 * Run an application, and verify what it recorded as an auditor does.
	 */
	private void run(ApplicationContextRunner application, String hooks, Consumer<AssertableApplicationContext> test) {
		String yaml = """
				hooks:
				  audit:
				    enabled: true
				    node: n1
				    key: {id: k1, secret: %s}
				    file: {path: "%s"}
				    anchor: {file: "%s"}
				""".formatted(TestAudit.SECRET, this.directory.resolve("audit"),
				this.directory.resolve("anchors/n1.jsonl")) + hooks;
		application.withInitializer((context) -> add(context, yaml)).run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
		assertThat(verify()).isZero();
	}

	private int verify() {
		ByteArrayOutputStream said = new ByteArrayOutputStream();
		PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
		try {
			Path secret = Files.writeString(this.directory.resolve("secret"), TestAudit.SECRET);
			return new AuditTool(out, out).run(List.of("verify", "--key", "k1=" + secret, "--anchors",
					this.directory.resolve("anchors").toString(), this.directory.resolve("audit").toString()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void add(ConfigurableApplicationContext context, String yaml) {
		try {
			new YamlPropertySourceLoader()
				.load("application.yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
				.forEach((source) -> context.getEnvironment().getPropertySources().addLast(source));
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

	private List<JsonNode> limits(String kind) {
		return records(kind).stream().map((record) -> record.at("/hooks/0/limit")).toList();
	}

	private List<String> remaining(String kind) {
		return limits(kind).stream().map((limit) -> limit.get("remaining").toString()).toList();
	}

}
