package io.agenthooks.spring.entries;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.CallContext;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.test.ai.ScriptedChatModel;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what calls do to their limits that are answered from the cache, that are
 * changed, or by which a model tries to get more than there is, from YAML to the tool.
 */
class LimitedCallsTests {

	private static final String CACHE = """
			- type: cache
			  match: [search]
			  config: {scope: global}
			""";

	private static final String BUDGET = "hooks.tool_call.pre_call[0].";

	private final ScriptedChatModel model = new ScriptedChatModel();

	private final Tools tools = new Tools();

	// Answers of the cache

	/**
	 * Two calls pass: one is of the cache, so that a third one passes unless that counts.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			limit: 2 per session                                              | true
			limit: 2 per session, count: succeeded                            | false
			limit: 2 per session, key_expression: tool.name                   | true
			limit: 2 per session, key_expression: tool.name, count: succeeded | false
			""")
	void answerOfACacheBehindALimitCountsIfDecisionsCount(String config, boolean counts) {
		try (ToolHooksTester hooks = preCall(
				"- type: rate_limit\n  match: [search]\n  config: {%s}\n".formatted(config) + CACHE)) {
			assertThat(search(hooks, 1, 1, 2, 3)).containsExactly(ToolCallStatus.SUCCEEDED, ToolCallStatus.ANSWERED,
					(counts) ? ToolCallStatus.DENIED : ToolCallStatus.SUCCEEDED, ToolCallStatus.DENIED);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			rate_limit | limit: 2 per session
			rate_limit | limit: 2 per session, count: succeeded
			budget     | limit: 2, per: session
			""")
	void answerOfACacheBeforeALimitDoesNotCount(String type, String config) {
		try (ToolHooksTester hooks = preCall(
				CACHE + "- type: %s\n  match: [search]\n  config: {%s}\n".formatted(type, config))) {
			assertThat(search(hooks, 1, 1, 2, 1, 3)).containsExactly(ToolCallStatus.SUCCEEDED, ToolCallStatus.ANSWERED,
					ToolCallStatus.SUCCEEDED, ToolCallStatus.ANSWERED, ToolCallStatus.DENIED);
		}
	}

	/**
	 * A limit that reads arguments is a policy, which also holds for what others answer.
	 */
	@Test
	void answerOfACacheBeforeALimitThatReadsArgumentsCounts() {
		try (ToolHooksTester hooks = preCall(CACHE + """
				- type: budget
				  match: [search]
				  config: {limit: 5, sum: args.n, per: session}
				""")) {
			assertThat(search(hooks, 2, 2, 2, 1)).containsExactly(ToolCallStatus.SUCCEEDED, ToolCallStatus.ANSWERED,
					ToolCallStatus.DENIED, ToolCallStatus.SUCCEEDED);
		}
	}

	private static List<ToolCallStatus> search(ToolHooksTester hooks, int... queries) {
		return IntStream.of(queries)
			.mapToObj((query) -> hooks.call(ToolCall.of("search", Map.of("n", query), CallContext.ofSession("s1")))
				.outcome()
				.status())
			.toList();
	}

	// Keys

	@Test
	void sessionThatTheModelWritesChangesNoLimitUnlessTheKeyReadsIt() {
		try (ToolHooksTester hooks = preCall("""
				- type: budget
				  match: [refund]
				  config: {limit: 10, sum: args.amount, per: session}
				- type: rate_limit
				  match: [pay]
				  config: {limit: 1 per 1d, key_expression: args.session_id}
				""")) {
			assertThat(List.of("s1", "s2", "s3"))
				.extracting((session) -> passes(hooks, "refund", Map.of("session_id", session, "amount", 5)))
				.containsExactly(true, true, false);
			assertThat(List.of("s1", "s2", "s1"))
				.extracting((session) -> passes(hooks, "pay", Map.of("session_id", session)))
				.containsExactly(true, true, false);
		}
	}

	@Test
	void spellingsOfAnArgumentAreOneKey() {
		try (ToolHooksTester hooks = preCall("""
				- type: rate_limit
				  match: [refund]
				  config: {limit: 1 per 1d, key_expression: args.account}
				""")) {
			assertThat(passes(hooks, "refund", Map.of("account", "\u00e9mile"))).isTrue();
			for (String spelling : List.of("\u00c9MILE", "e\u0301mile", " \u00e9mile ", "\u00e9mi\u200ble",
					"\u202e\u00e9mile", "\u00e9\uff4dile")) {
				assertThat(passes(hooks, "refund", Map.of("account", spelling))).as(spelling).isFalse();
			}
			assertThat(passes(hooks, "refund", Map.of("account", "emile"))).isTrue();
		}
	}

	private static boolean passes(ToolHooksTester hooks, String tool, Map<String, Object> arguments) {
		return hooks.call(ToolCall.of(tool, arguments, CallContext.ofSession("own")))
			.outcome()
			.status() == ToolCallStatus.SUCCEEDED;
	}

	// Amounts, as a model writes them

	@Test
	void amountThatIsNoneRunsNoToolAndUsesUpNothing() {
		List<String> hostile = List.of("-1", "-1e-9", "NaN", "-Infinity", "Infinity", "1e400", "-1e400", "1e308",
				"1e2147483648", "9".repeat(400), "2000.0000000000000001", "0." + "0".repeat(60) + "1", "\"10\"",
				"\"NaN\"", "null", "true", "[10]", "{\"value\":10}", "10,\"amount\":5000", "10,\"Amount\":5000",
				"10,\"AMOUNT\":10", "0x10", "+1", "01", "1_000");
		run((client) -> {
			for (String amount : hostile) {
				this.model.calls("refund", "{\"amount\":" + amount + "}");
				refund(client);
				assertThat(this.tools.paid).as(amount).isEmpty();
			}
			this.model.calls("refund", "{}");
			refund(client);
			assertThat(this.tools.paid).isEmpty();
			this.model.calls("refund", "{\"amount\":1999.5}")
				.calls("refund", "{\"amount\":0.51}")
				.calls("refund", "{\"amount\":5e-1}");
			refund(client);
			assertThat(this.tools.paid).containsExactly(new BigDecimal("1999.5"), new BigDecimal("0.5"));
		});
	}

	@Test
	void callThatIsChangedAfterItWasCountedCountsItsFinalAmountOnce() {
		run((client) -> {
			this.model.calls("refund", "{\"amount\":7}")
				.calls("refund", "{\"amount\":700}")
				.calls("refund", "{\"amount\":1}");
			refund(client);
			// 1000 in the place of 7, so that 301 in the place of 1 is too much.
			assertThat(this.tools.paid).containsExactly(new BigDecimal("1000"), new BigDecimal("700"));
		}, (call) -> switch (String.valueOf(call.arguments().get("amount"))) {
			case "7" -> ToolDecision.modify(Map.of("amount", 1000));
			case "1" -> ToolDecision.modify(Map.of("amount", 301));
			default -> ToolDecision.approve();
		});
	}

	private void refund(ChatClient client) {
		this.model.says("Done");
		assertThat(client.prompt("Refund").tools(this.tools).call().content()).isEqualTo("Done");
	}

	private void run(Consumer<ChatClient> test, PreToolHook... later) {
		ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withBean("model", ScriptedChatModel.class, () -> this.model)
			.withPropertyValues(BUDGET + "type=budget", BUDGET + "config.limit=2000", BUDGET + "config.sum=args.amount",
					BUDGET + "config.per=year", BUDGET + "config.key=all");
		for (PreToolHook hook : later) {
			runner = runner.withBean("later", PreToolHook.class, () -> hook);
		}
		runner.run((context) -> test.accept(context.getBean(ChatClient.Builder.class).build()));
	}

	private static ToolHooksTester preCall(String entries) {
		return ToolHooksTester.ofYaml("hooks:\n  tool_call:\n    pre_call:\n" + entries.indent(6));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Tools {

		private final List<BigDecimal> paid = new ArrayList<>();

		@Tool(name = "refund", description = "Pays money back")
		String refund(BigDecimal amount) {
			this.paid.add(amount);
			return "refunded";
		}

	}

}
