package io.agenthooks.spring.command;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ConditionalOnHookType;
import io.agenthooks.spring.dialect.HookSystem.Subject;

/**
 * Adds the type {@code command}, which starts a program for each call.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnHookType("command")
public final class CommandHooksAutoConfiguration {

	/** The type of hooks that run a command. */
	static final String TYPE = "command";

	@Bean
	@ConditionalOnMissingBean(name = "commandToolHookFactory")
	ToolHookFactory<CommandConfig> commandToolHookFactory() {
		return ToolHookFactory.of(TYPE, CommandConfig.class,
				(name, config) -> new CommandToolHook(name, CommandSettings.of(config, Subject.TOOL_CALL)),
				(name, config) -> new CommandToolResultHook(name, CommandSettings.of(config, Subject.TOOL_CALL)));
	}

	@Bean
	@ConditionalOnMissingBean(name = "commandLlmHookFactory")
	LlmHookFactory<CommandConfig> commandLlmHookFactory() {
		return LlmHookFactory.of(TYPE, CommandConfig.class,
				(name, config) -> new CommandLlmHook(name, CommandSettings.of(config, Subject.LLM_CALL)),
				(name, config) -> new CommandLlmResponseHook(name, CommandSettings.of(config, Subject.LLM_CALL)));
	}

	@Bean
	@ConditionalOnMissingBean(name = "commandRunHookFactory")
	RunHookFactory<CommandConfig> commandRunHookFactory() {
		return RunHookFactory.of(TYPE, CommandConfig.class,
				(name, config) -> new CommandRunHook(name, CommandSettings.of(config, Subject.RUN)),
				(name, config) -> new CommandPostRunHook(name, CommandSettings.of(config, Subject.END_OF_RUN)));
	}

}
