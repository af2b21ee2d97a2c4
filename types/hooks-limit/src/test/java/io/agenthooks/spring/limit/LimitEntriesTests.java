package io.agenthooks.spring.limit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.Explanation;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the types that limit, from YAML to the call.
 */
class LimitEntriesTests {

	private static final String THREE = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: rate_limit
			        name: refunds
			        match: [refund]
			        config: {limit: 3 per session}
			""";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withUserConfiguration(Tools.class);

	@Test
	void onlyThreeRefundsOfASessionPass() {
		yaml(THREE).run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			assertThat(List.of(call("refund"), call("refund"), call("look"), call("refund")))
				.allMatch((call) -> executor.execute(call).succeeded());
			assertThat(executor.execute(call("refund")).content()).startsWith("Tool call denied by hook 'refunds'");
			assertThat(executor.execute(call("look")).succeeded()).isTrue();
		});
	}

	@Test
	void explainingTellsTheLimitAndTakesNothing() {
		yaml(THREE).run((context) -> {
			ToolHooks hooks = context.getBean(ToolHooks.class);
			for (int i = 0; i < 5; i++) {
				assertThat(hooks.explain(call("refund"))).satisfies(
						(explanation) -> assertThat(explanation.isComplete()).isTrue(),
						(explanation) -> assertThat(explanation.verdict()).isEqualTo(Verdict.APPROVE));
			}
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			for (int i = 0; i < 3; i++) {
				executor.execute(call("refund"));
			}
			Explanation explanation = hooks.explain(call("refund"));
			assertThat(explanation.decidedBy()).isEqualTo("refunds");
			assertThat(explanation.reason()).contains("3 per session");
		});
	}

	@Test
	void explainingTellsWhatIsLeftAndWhenAllIsThereAgain() {
		yaml(THREE.replace("3 per session", "[3 per 1h, 10 per 1d], key: session")).run((context) -> {
			ToolHooks hooks = context.getBean(ToolHooks.class);
			assertThat(remark(hooks))
				.isEqualTo("The limit of 3 per 1h and of 10 per 1d for this session has 3 calls left.");
			context.getBean(ToolExecutor.class).execute(call("refund"));
			context.getBean(ToolExecutor.class).execute(call("refund"));
			assertThat(remark(hooks)).isEqualTo("The limit of 3 per 1h and of 10 per 1d for this session has 1 call "
					+ "left, and all of them again in 5 hours.");
			assertThat(hooks.explain(call("refund")).reason()).isNull();
		});
		yaml(THREE).run((context) -> {
			ToolResult result = context.getBean(ToolExecutor.class).execute(call("refund"));
			assertThat(result.additionalContext()).isNull();
			assertThat(remark(context.getBean(ToolHooks.class)))
				.isEqualTo("The limit of 3 per session for this session has 2 calls left.");
		});
	}

	private static @Nullable String remark(ToolHooks hooks) {
		return hooks.explain(call("refund")).hooks().get(0).reason();
	}

	@Test
	void gaugeShowsTheLeastThatAnyKeyHasLeftAndNamesNoKey() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		yaml(THREE.replace("3 per session", "5 per session"))
			.withConfiguration(AutoConfigurations.of(ToolCallMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, () -> registry)
			.run((context) -> {
				ToolExecutor executor = context.getBean(ToolExecutor.class);
				assertThat(remaining(registry)).isNaN();
				for (int i = 0; i < 200; i++) {
					executor.execute(ToolCall.of("refund", Map.of(), CallContext.ofSession("other" + i)));
				}
				assertThat(remaining(registry)).isEqualTo(4);
				executor.execute(call("refund"));
				executor.execute(call("refund"));
				context.getBean(ToolHooks.class).explain(call("refund"));
				assertThat(remaining(registry)).isEqualTo(3);
				for (int i = 0; i < 5; i++) {
					executor.execute(call("refund"));
				}
				assertThat(remaining(registry)).isZero();
				assertThat(registry.find("hooks.limit.remaining").gauges()).hasSize(1);
			});
	}

	private static double remaining(MeterRegistry registry) {
		return registry.get("hooks.limit.remaining").tag("hook", "refunds").gauge().value();
	}

	@Test
	void severalLimitsPartsAndAnExpressionAreRead() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: rate_limit
				        config:
				          limit: [2 per minute, 100 per 1d burst 20]
				          key: [tool, claim:tenant]
				          key_expression: "has(args.account) ? args.account : 'none'"
				          missing: skip
				          count: succeeded
				          then: deny
				          max_keys: 10
				""").run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			CallContext tenant = CallContext.empty().withUser("a").withClaims(Map.of("tenant", "t"));
			assertThat(List.of("A", "a", "B", "A"))
				.extracting((account) -> executor.execute(ToolCall.of("refund", Map.of("account", account), tenant))
					.succeeded())
				.containsExactly(true, true, true, false);
		});
	}

	@Test
	void observedLimitDeniesNothing() {
		yaml(THREE.replace("match: [refund]", "mode: observe")).run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			for (int i = 0; i < 5; i++) {
				assertThat(executor.execute(call("refund")).succeeded()).isTrue();
			}
		});
	}

	@Test
	void timeoutOfAnEntryIsTheTimeToWait() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: concurrency
				        match: [outer]
				        timeout: 10ms
				        config: {max_concurrent: 1}
				""").run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			assertThat(executor.execute(call("outer")).content()).contains("none of them has ended within 1 second");
			assertThat(executor.execute(call("look")).succeeded()).isTrue();
		});
	}

	@Test
	void loopIsWarnedOfThenDeniedAndToolsThatPollAreExempt() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: loop
				        except: [poll]
				        config:
				          repeats: {warn: 2, deny: 3}
				          failures: {warn: 0, deny: 0, abort: 0}
				""").run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			List<ToolResult> results = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				assertThat(executor.execute(call("poll")).additionalContext()).isNull();
				results.add(executor.execute(call("look")));
			}
			assertThat(results).extracting(ToolResult::succeeded).containsExactly(true, true, true, false);
			assertThat(results.get(1).forModel()).isEqualTo("ran look");
			assertThat(results.get(2).forModel()).contains("has had the same result 2 times");
		});
	}

	@Test
	void mistakesStopTheStart() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: rate_limit
				      - type: rate_limit
				        config: {limit: 3 each session, then: warn, key: [me]}
				      - type: rate_limit
				        config: {limit: 10 per 1m, key_expression: "arg.x"}
				      - type: concurrency
				        timeout: 1s
				        config: {max_concurrent: 1, timeout: 1s}
				      - type: concurrency
				      - type: loop
				        config: {repeats: {warn: 1}, failures: {denies: 3}, calls: {warn: 5, deny: 4}}
				    post_call:
				      - type: rate_limit
				        config: {limit: 3 per session}
				""").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContainingAll("pre_call[0].config.limit", "The limit is missing", "pre_call[1].config.then",
					"one of deny, ask, abort", "pre_call[2].config.key_expression", "There is no variable 'arg'",
					"pre_call[3]", "timeout", "pre_call[4].config.max_concurrent", "is missing",
					"pre_call[5].config.failures.denies", "is not an option here", "post_call[0].type",
					"also decides before the call"));
	}

	@Test
	void timeoutOfWhatWaitsForNothingStopsTheStart() {
		yaml(THREE.replace("match: [refund]", "timeout: 1s")).run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContainingAll("pre_call[0].timeout", "has no meaning for a hook of this type"));
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

	private static ToolCall call(String tool) {
		return ToolCall.of(tool, Map.of(), CallContext.ofSession("s1"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Tools {

		/**
		 * A tool named outer calls itself.
		 */
		@Bean
		ToolExecutor tools(ObjectProvider<ToolExecutor> guarded) {
			return (call) -> (call.tool().equals("outer"))
					? guarded.getObject().execute(ToolCall.of("outer", Map.of(), call.context()))
					: ToolResult.success("ran " + call.tool());
		}

	}

}
