package io.agenthooks.spring.command;

import java.util.function.Supplier;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.child.CallClock;
import io.agenthooks.spring.command.CommandSettings.Kind;
import io.agenthooks.toolcall.ToolHook;

/**
 * Makes the hooks of the type {@code command}, which start a program for each call.
 *
 * @since 0.1.0
 */
public final class CommandToolHookFactory implements ToolHookFactory<CommandConfig> {

	private final Supplier<CallClock> clock;

	/**
	 * Create the factory.
	 * @param clock gives the clock that knows how long calls take
	 */
	public CommandToolHookFactory(Supplier<CallClock> clock) {
		this.clock = clock;
	}

	@Override
	public String type() {
		return CommandHookFactories.TYPE;
	}

	@Override
	public Class<CommandConfig> configType() {
		return CommandConfig.class;
	}

	@Override
	public ToolHook create(String name, CommandConfig config) {
		return new CommandToolHook(name, CommandSettings.of(config, Kind.TOOL_CALL));
	}

	@Override
	public ToolHook createForPost(String name, CommandConfig config) {
		return new ResultCommandToolHook(name, CommandSettings.of(config, Kind.TOOL_CALL), this.clock.get());
	}

}
