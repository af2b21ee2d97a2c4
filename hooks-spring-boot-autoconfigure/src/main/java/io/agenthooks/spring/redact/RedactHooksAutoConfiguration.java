package io.agenthooks.spring.redact;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.agenthooks.redact.RedactArgumentsHook;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.RedactLlmHook;
import io.agenthooks.redact.RedactLlmResponseHook;
import io.agenthooks.redact.RedactToolHook;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ConditionalOnHookType;

/**
 * Adds the type {@code redact}, which takes secrets out of what passes.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnHookType("redact")
public final class RedactHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "redactToolHookFactory")
	ToolHookFactory<RedactConfig> redactToolHookFactory() {
		return ToolHookFactory.of("redact", RedactConfig.class, (name, config) -> new RedactArgumentsHook(config),
				(name, config) -> new RedactToolHook(config));
	}

	@Bean
	@ConditionalOnMissingBean(name = "redactLlmHookFactory")
	LlmHookFactory<RedactConfig> redactLlmHookFactory() {
		return LlmHookFactory.of("redact", RedactConfig.class, (name, config) -> new RedactLlmHook(config),
				(name, config) -> new RedactLlmResponseHook(config));
	}

}
