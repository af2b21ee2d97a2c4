package io.agenthooks.spring.command;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.external.CallClock;

/**
 * Adds the type {@code command}, which starts a program for each call.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class CommandHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "commandToolHookFactory")
	ToolHookFactory<CommandConfig> commandToolHookFactory(ConfigurableApplicationContext context) {
		return CommandHookFactories.toolHooks(CallClock.of(context));
	}

	@Bean
	@ConditionalOnMissingBean(name = "commandLlmHookFactory")
	LlmHookFactory<CommandConfig> commandLlmHookFactory() {
		return CommandHookFactories.llmHooks();
	}

	@Bean
	@ConditionalOnMissingBean(name = "commandRunHookFactory")
	RunHookFactory<CommandConfig> commandRunHookFactory() {
		return CommandHookFactories.runHooks();
	}

}
