package io.agenthooks.spring.entries;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for the configuration of the type {@code prompt}.
 */
class PromptConfigTests {

	private static final ChatModel MODEL = (prompt) -> {
		throw new IllegalStateException("Not asked");
	};

	private static ToolHooksTester hooks(String list, String config) {
		return ToolHooksTester.ofYaml("""
				hooks:
				  %s:
				    %s:
				      - type: prompt
				        config: %s
				""".formatted(list.substring(0, list.indexOf('.')), list.substring(list.indexOf('.') + 1), config));
	}

	@Test
	void everyOptionIsUnderstood() {
		try (ToolHooksTester hooks = hooks("tool_call.pre_call", """
				{prompt: "$INPUT", model: judge, timeout: 10, fail_open: true, output_schema: false, max_concurrent: 4,
				         cache: {ttl: 60, max_entries: 10}}""").withBean("judge", MODEL).withBean("other", MODEL)) {
			assertThat(hooks.call("t", Map.of())).isApproved().hasFailedOpen("prompt#0");
		}
		try (ToolHooksTester hooks = hooks("tool_call.post_call", "{prompt: $TOOL_OUTPUT}").withBean("judge", MODEL)) {
			assertThat(hooks.getBean(ToolHooks.class).list())
				.extracting(ActiveHooks.Listed::phase, ActiveHooks.Listed::type)
				.containsExactly(tuple(ActiveHooks.Phase.RESULT, "prompt"));
		}
		try (ToolHooksTester hooks = hooks("llm_call.post_call", "{prompt: $RESPONSE}").withBean("judge", MODEL)) {
			assertThat(hooks.getBean(LlmHookChain.class).isEmpty()).isFalse();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = { "tool_call.pre_call | {} | The prompt is missing",
			"tool_call.pre_call | {prompt: ''} | prompt", "tool_call.pre_call | {prompt: ' '} | prompt",
			"tool_call.pre_call | {prompt: 'Is it safe?'} | The prompt has no placeholder",
			"tool_call.pre_call | {prompt: 'Is $EVENT safe?'} | The prompt has no placeholder",
			"tool_call.pre_call | {prompt: $TOOL_OUTPUT} | The prompt has $TOOL_OUTPUT, which never has a value",
			"tool_call.pre_call | {prompt: $PROMPT} | Write $INPUT or $TOOL_INPUT or $TOOL_NAME.",
			"tool_call.post_call | {prompt: $RESPONSE} | $RESPONSE",
			"llm_call.pre_call | {prompt: $TOOL_NAME} | $TOOL_NAME",
			"llm_call.pre_call | {prompt: $RESPONSE} | $RESPONSE",
			"llm_call.post_call | {prompt: $TOOL_OUTPUT} | Write $INPUT or $PROMPT or $RESPONSE.",
			"run.pre_run | {prompt: $TOOL_INPUT} | $TOOL_INPUT",
			"run.post_run | {prompt: $INPUT} | Move the entry to pre_run.",
			"tool_call.pre_call | {prompt: $INPUT, timeout: 0s} | timeout",
			"tool_call.pre_call | {prompt: $INPUT, timeout: 11m} | timeout",
			"tool_call.pre_call | {prompt: $INPUT, max_concurrent: 0} | max_concurrent",
			"tool_call.pre_call | {prompt: $INPUT, cache: {ttl: 0s}} | config.cache.ttl",
			"tool_call.pre_call | {prompt: $INPUT, cache: {ttl: 31d}} | at most 30 days",
			"tool_call.pre_call | {prompt: $INPUT, cache: {max_entries: 0}} | config.cache.max_entries",
			"tool_call.pre_call | {prompt: $INPUT, cache: {max_size: 5}} | max_entries",
			"tool_call.pre_call | {prompt: $INPUT, temperature: 0} | temperature" })
	void mistakesStopTheStart(String list, String config, String message) {
		try (ToolHooksTester hooks = hooks(list, config).withBean("judge", MODEL)) {
			assertThatIllegalStateException().isThrownBy(hooks::start)
				.withMessageStartingWith("The configuration of the hooks has a mistake")
				// An empty map has no line.
				.withMessageContaining((config.equals("{}")) ? "1. YAML text" : "1. YAML text:")
				.withMessageContaining(message);
		}
	}

	@Test
	void modelHasToBeChosenIfThereAreSeveral() {
		ToolHooksTester two = hooks("tool_call.pre_call", "{prompt: $INPUT}").withBean("big", MODEL)
			.withBean("small", MODEL);
		assertThatIllegalStateException().isThrownBy(two::start)
			.withMessageContaining("config.model' is missing, and there are several ChatModel beans")
			.withMessageContaining("Write one of [big, small], or make one of them @Primary.");
		ToolHooksTester typo = hooks("tool_call.pre_call", "{prompt: $INPUT, model: bigg}").withBean("big", MODEL)
			.withBean("small", MODEL);
		assertThatIllegalStateException().isThrownBy(typo::start)
			.withMessageContaining("config.model' names no ChatModel bean, and there are several");
	}

	@ParameterizedTest
	@ValueSource(strings = { "other", "alias" })
	void modelThatIsNamedJudges(String name) {
		try (ToolHooksTester hooks = hooks("tool_call.pre_call", "{prompt: $INPUT, model: %s}".formatted(name))
			.withConfiguration(Models.class)) {
			assertThat(hooks.call("t", Map.of())).isDenied().withReason("I am other");
		}
	}

	@Test
	void primaryModelJudgesUnlessOneIsNamed() {
		try (ToolHooksTester hooks = hooks("tool_call.pre_call", "{prompt: $INPUT}").withConfiguration(Models.class)) {
			assertThat(hooks.call("t", Map.of())).isDenied().withReason("I am primary");
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Models {

		@Bean
		@Primary
		ChatModel primary() {
			return denying("I am primary");
		}

		@Bean({ "other", "alias" })
		ChatModel other() {
			return denying("I am other");
		}

		private static ChatModel denying(String reason) {
			return (prompt) -> new ChatResponse(List.of(new Generation(
					new AssistantMessage("{\"decision\": \"deny\", \"reason\": \"%s\"}".formatted(reason)))));
		}

	}

}
