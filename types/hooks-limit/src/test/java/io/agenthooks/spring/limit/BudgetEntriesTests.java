package io.agenthooks.spring.limit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.io.ByteArrayResource;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for budgets, from YAML to the call.
 */
class BudgetEntriesTests {

	private static final String REFUNDS = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: budget
			        name: refunds
			        match: [refund]
			        config: {limit: 2000, sum: args.amount, key: user, per: day, warn_at: 0.8}
			""";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class))
		.withUserConfiguration(Tools.class);

	@Test
	void budgetOfADayIsKeptAndToldOf() {
		yaml(REFUNDS).run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			assertThat(executor.execute(refund(1500)).succeeded()).isTrue();
			assertThat(executor.execute(refund(501)).content()).startsWith("Tool call denied by hook 'refunds'");
			assertThat(executor.execute(refund(500)).forModel()).contains("0 is left");
			assertThat(executor.execute(ToolCall.of("look", Map.of(), CallContext.empty())).succeeded()).isTrue();
			Tools tools = context.getBean(Tools.class);
			assertThat(tools.budgets).extracting(Object::getClass)
				.containsExactly(BudgetEvent.Exceeded.class, BudgetEvent.Warned.class);
			assertThat(tools.denials).hasSize(1);
		});
	}

	@Test
	void explainingTakesNothing() {
		yaml(REFUNDS).run((context) -> {
			ToolHooks hooks = context.getBean(ToolHooks.class);
			assertThat(hooks.explain(refund(2000)).verdict()).isEqualTo(Verdict.APPROVE);
			assertThat(hooks.explain(refund(1500)).hooks().get(0).reason())
				.startsWith("With this call, 500 of the budget");
			assertThat(hooks.explain(refund(2001)).verdict()).isEqualTo(Verdict.DENY);
			assertThat(context.getBean(ToolExecutor.class).execute(refund(2000)).succeeded()).isTrue();
			assertThat(hooks.explain(refund(1)).decidedBy()).isEqualTo("refunds");
		});
	}

	@Test
	void observedBudgetDeniesNothing() {
		yaml(REFUNDS.replace("match: [refund]", "mode: observe")).run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			assertThat(List.of(-1, 3000, 2000, 2000))
				.allMatch((amount) -> executor.execute(refund(amount)).succeeded());
			assertThat(context.getBean(Tools.class).budgets).hasOnlyElementsOfTypes(BudgetEvent.Exceeded.class,
					BudgetEvent.Warned.class);
		});
	}

	@Test
	void allOptionsAreRead() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: budget
				        config:
				          limit: "0.30"
				          sum: args.order.total
				          per: Month
				          time_zone: Europe/Berlin
				          key: [tool, claim:tenant]
				          key_expression: "args.account"
				          missing: skip
				          count: succeeded
				          then: deny
				          warn_at: 1
				          max_keys: 10
				""").run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			CallContext tenant = CallContext.empty().withUser("a").withClaims(Map.of("tenant", "t"));
			assertThat(List.of("A", "a", "B", "A"))
				.extracting((account) -> executor
					.execute(ToolCall.of("pay", Map.of("account", account, "order", Map.of("total", 0.15)), tenant))
					.succeeded())
				.containsExactly(true, true, true, false);
			assertThat(
					executor.execute(ToolCall.of("pay", Map.of("account", "C", "order", Map.of("total", 0.31)), tenant))
						.content())
				.contains("0.3 of the argument 'order.total' per month", "It is new in 60 minutes.");
		});
	}

	@Test
	void mistakesStopTheStart() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: budget
				      - type: budget
				        config: {limit: -5, per: hour, sum: amount, then: warn, warn_at: 80, max_keys: 0}
				      - type: budget
				        config: {limit: 2.5, per: day, time_zone: Mars, forget_after: 1h}
				      - type: budget
				        config: {limit: 1e1000000, per: session, key: user, time_zone: UTC}
				      - type: budget
				        timeout: 1s
				        config: {limit: many, per: session}
				    post_call:
				      - type: budget
				        config: {limit: 3, per: session}
				""").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContainingAll("pre_call[0].config.limit': The limit is missing",
					"pre_call[0].config.per': This is missing", "pre_call[1].config.then",
					"pre_call[1].config.limit': The limit is not above zero",
					"pre_call[1].config.per': This is neither", "pre_call[1].config.sum': The sum names no argument",
					"pre_call[1].config.warn_at", "pre_call[1].config.max_keys",
					"pre_call[2].config.limit': The limit of what is counted one by one",
					"pre_call[2].config.time_zone': There is no time zone", "pre_call[2].config.forget_after",
					"pre_call[2].config.key': Nothing says which calls", "pre_call[3].config.limit",
					"pre_call[3].config.time_zone': No day begins", "pre_call[4].config.limit' is not a number",
					"pre_call[4].timeout", "post_call[0].type"));
	}

	@Test
	void modelCallsOfAUserCostSoMuchAndNoMore() {
		yaml("""
				hooks:
				  llm_call:
				    pre_call:
				      - type: budget
				        name: money
				        config:
				          limit: 5
				          sum: cost
				          per: month
				          key: user
				          prices:
				            - {model: "gpt-5*", input: 1.25, output: 10}
				          default_price: {input: 15, output: "75.0"}
				      - type: budget
				        name: calls
				        mode: observe
				        config: {limit: 1, per: session}
				""").run((context) -> {
			LlmHookChain chain = context.getBean(LlmHookChain.class);
			// 1.25 and 4 of cost
			assertThat(ask(chain, "gpt-5-mini", new LlmUsage(1_000_000, 0)).text()).isEqualTo("Hello");
			assertThat(ask(chain, "gpt-5", new LlmUsage(0, 374_999)).text()).isEqualTo("Hello");
			assertThat(ask(chain, "other", new LlmUsage(1, 0)).text()).isEqualTo("Hello");
			assertThat(ask(chain, "gpt-5", new LlmUsage(1, 1)).text()).startsWith(
					"Model call denied by hook 'money': The budget of 5 of cost per month for this user is used");
			assertThat(context.getBean(Tools.class).budgets).extracting(BudgetEvent::hook)
				.containsExactly("calls", "calls", "money");
		});
	}

	private static LlmResponse ask(LlmHookChain chain, String model, LlmUsage usage) {
		LlmCall call = LlmCall.of(LlmMessage.user("Hi"))
			.withModel(model)
			.withContext(CallContext.ofSession("s1").withUser("ann"));
		return chain.execute(call, (made) -> new LlmResponse("Hello", List.of(), "stop", usage, null, null));
	}

	@Test
	void mistakesAboutModelCallsStopTheStart() {
		yaml("""
				hooks:
				  llm_call:
				    pre_call:
				      - type: budget
				        config: {limit: 5, sum: money, per: day, key: user}
				      - type: budget
				        config: {limit: 5, sum: cost, per: day, key: tool, prices: [{model: a, input: free, output: 1}, {modell: b}]}
				      - type: budget
				        config: {limit: 5, sum: cost, per: day, key: tool, prices: [{model: a, output: 1}], then: ask}
				      - type: budget
				        timeout: 1s
				        config: {limit: 5, per: session}
				    post_call:
				      - type: budget
				        config: {limit: 5, sum: tokens, per: session}
				""")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("pre_call[0].config.sum' is not one of tokens, cost",
						"pre_call[1].config.prices[0].input' is not a number",
						"prices[1].modell' is not an option here", "pre_call[2].config.then' is not one of deny, abort",
						"pre_call[3].timeout", "post_call[0].type"));
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

	private static ToolCall refund(int amount) {
		return ToolCall.of("refund", Map.of("amount", amount), CallContext.ofSession("s1").withUser("ann"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Tools {

		final List<BudgetEvent> budgets = new ArrayList<>();

		final List<ToolCallEvent.BudgetExceeded> denials = new ArrayList<>();

		@Bean
		Clock clock() {
			return Clock.fixed(Instant.parse("2026-03-31T21:00:00Z"), ZoneOffset.UTC);
		}

		@Bean
		ToolExecutor tools() {
			return (call) -> ToolResult.success("ran " + call.tool());
		}

		@EventListener
		void budget(BudgetEvent event) {
			this.budgets.add(event);
		}

		@EventListener
		void denied(ToolCallEvent.BudgetExceeded event) {
			this.denials.add(event);
		}

	}

}
