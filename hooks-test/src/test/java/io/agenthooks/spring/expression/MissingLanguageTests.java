package io.agenthooks.spring.expression;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;

import io.agenthooks.spring.alert.AlertHooksAutoConfiguration;
import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A condition or expression in an application without the module that reads CEL stops the
 * start with the dependency to add.
 */
class MissingLanguageTests {

	private static final ApplicationContextRunner APPLICATION = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ToolCallHooksAutoConfiguration.class,
				LlmCallHooksAutoConfiguration.class, PolicyHooksAutoConfiguration.class,
				LimitHooksAutoConfiguration.class, AlertHooksAutoConfiguration.class));

	private static ApplicationContextRunner with(String yaml) {
		return APPLICATION.withInitializer((context) -> {
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

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "tool_call.pre_call; policy; rules: [{when: 'true', then: deny}]; rules",
					"llm_call.pre_call; policy; rules: [{when: 'true', then: deny}]; rules",
					"tool_call.pre_call; rate_limit; {limit: 3 per session, key_expression: tool.name}; key_expression",
					"tool_call.post_call; alert; {when: tool.name == 'a'}; when" })
	void expressionStopsTheStart(String list, String type, String config, String option) {
		with("hooks.%s: [{type: %s, config: {%s}}]".formatted(list, type, config.replaceAll("[{](.*: .*)[}]$", "$1")))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("_call[0].config." + option,
						"which needs the dependency io.agenthooks:hooks-policy-cel."));
	}

	@Test
	void expressionInAnAnnotationStopsTheStart() {
		APPLICATION.withBean(Support.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("MissingLanguageTests.Support.refund",
						"needs the dependency io.agenthooks:hooks-policy-cel"));
	}

	@Test
	void listsNeedNoLanguage() {
		with("""
				hooks:
				  llm_call.pre_call: [{type: policy, config: {deny_patterns: [sk-]}}]
				  tool_call:
				    pre_call:
				      - {type: policy, config: {deny_tools: ['delete_*'], packs: [sql-ddl]}}
				      - {type: rate_limit, config: {limit: 3 per session, missing: skip}}
				    post_call: [{type: alert, config: {outcomes: [denied]}}]
				""").run((context) -> {
			assertThat(context).hasNotFailed();
			ToolHookChain chain = context.getBean(ToolHookChain.class);
			assertThat(chain.execute(ToolCall.of("delete_file", Map.of()), (call) -> ToolResult.success("ran"))
				.succeeded()).isFalse();
			assertThat(
					chain.execute(ToolCall.of("read_file", Map.of()), (call) -> ToolResult.success("ran")).succeeded())
				.isTrue();
		});
	}

	static class Support {

		@Tool(description = "Refunds")
		@ToolPolicy(deny = "args.amount > 500")
		String refund(int amount) {
			return "done";
		}

	}

}
