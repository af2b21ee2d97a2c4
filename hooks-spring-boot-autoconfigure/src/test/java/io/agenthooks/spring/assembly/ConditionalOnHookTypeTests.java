package io.agenthooks.spring.assembly;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.agenthooks.spring.answer.AnswerHooksAutoConfiguration;
import io.agenthooks.spring.redact.RedactHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for types of hooks that are made when an entry names them.
 */
class ConditionalOnHookTypeTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
					AnswerHooksAutoConfiguration.class, RedactHooksAutoConfiguration.class));

	@Test
	void typeThatNoEntryNamesIsNotMade() {
		this.application
			.withPropertyValues("hooks.tool_call.pre_call[0].type=respond",
					"hooks.tool_call.pre_call[0].config.content=x", "hooks.tool_call.pre_call[0].match=a")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("respondToolHookFactory")
				.doesNotHaveBean(RedactHooksAutoConfiguration.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.tool_call.post_call[0].type=redact", "hooks.tool-call.postCall.mine.type=redact",
			"HOOKS.TOOLCALL.POSTCALL[0].TYPE=redact", "hooks.llm_call.pre_call[0].type=${TYPE:redact}",
			"hooks.llm_call.post_call.a.type=redact" })
	void typeIsMadeHoweverItsEntryIsWritten(String property) {
		this.application.withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed().hasBean("redactToolHookFactory"));
	}

	@Test
	void typeIsMadeForAnEntryOfTheSystemEnvironment() {
		this.application
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("HOOKS_TOOLCALL_POSTCALL_0_TYPE", "redact"))))
			.run((context) -> assertThat(context).hasNotFailed().hasBean("redactToolHookFactory"));
	}

	@Test
	void allTypesAreMadeAheadOfTime() {
		this.application.withSystemProperties(AbstractAotProcessor.AOT_PROCESSING + "=true")
			.run((context) -> assertThat(context).hasBean("redactToolHookFactory").hasBean("cacheToolHookFactory"));
	}

}
