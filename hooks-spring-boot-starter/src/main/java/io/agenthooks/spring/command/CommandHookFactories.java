package io.agenthooks.spring.command;

import java.util.function.Supplier;

import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.command.CommandSettings.Kind;
import io.agenthooks.spring.external.CallClock;

/**
 * Makes the hooks of the type {@code command}, which start a program for each call.
 */
final class CommandHookFactories {

	/** The type of hooks that run a command. */
	static final String TYPE = "command";

	private CommandHookFactories() {
	}

	/**
	 * A factory of commands around tool calls.
	 * @param clock gives the clock that knows how long calls take
	 * @return the factory
	 */
	static ToolHookFactory<CommandConfig> toolHooks(Supplier<CallClock> clock) {
		return ToolHookFactory.of(TYPE, CommandConfig.class,
				(name, config) -> new CommandToolHook(name, CommandSettings.of(config, Kind.TOOL_CALL)),
				(name, config) -> new CommandToolResultHook(name, CommandSettings.of(config, Kind.TOOL_CALL),
						clock.get()));
	}

	/**
	 * A factory of commands around model calls.
	 * @return the factory
	 */
	static LlmHookFactory<CommandConfig> llmHooks() {
		return LlmHookFactory.of(TYPE, CommandConfig.class,
				(name, config) -> new CommandLlmHook(name, CommandSettings.of(config, Kind.LLM_CALL)),
				(name, config) -> new CommandLlmResponseHook(name, CommandSettings.of(config, Kind.LLM_CALL)));
	}

	/**
	 * A factory of commands around runs of agents.
	 * @return the factory
	 */
	static RunHookFactory<CommandConfig> runHooks() {
		return RunHookFactory.of(TYPE, CommandConfig.class,
				(name, config) -> new CommandRunHook(name, CommandSettings.of(config, Kind.RUN)),
				(name, config) -> new CommandPostRunHook(name, CommandSettings.of(config, Kind.END_OF_RUN)));
	}

}
