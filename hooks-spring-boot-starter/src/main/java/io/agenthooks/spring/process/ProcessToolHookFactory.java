package io.agenthooks.spring.process;

import java.util.function.Supplier;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.child.CallClock;
import io.agenthooks.toolcall.ToolHook;

/**
 * Makes the hooks of the type {@code process}, each with a program that runs as long as
 * the hook.
 *
 * @since 0.1.0
 */
public final class ProcessToolHookFactory implements ToolHookFactory<ProcessConfig> {

	private final ProcessPrograms programs;

	private final Supplier<CallClock> clock;

	/**
	 * Create the factory.
	 * @param programs starts the programs
	 * @param clock gives the clock that knows how long calls take
	 */
	public ProcessToolHookFactory(ProcessPrograms programs, Supplier<CallClock> clock) {
		this.programs = programs;
		this.clock = clock;
	}

	@Override
	public String type() {
		return ProcessPrograms.TYPE;
	}

	@Override
	public Class<ProcessConfig> configType() {
		return ProcessConfig.class;
	}

	@Override
	public ToolHook create(String name, ProcessConfig config) {
		ProcessSettings settings = ProcessSettings.of(config, ProcessPlace.TOOL_CALL, true);
		return new ProcessToolHook(name, settings, this.programs.start(name, settings), clock(settings));
	}

	@Override
	public ToolHook createForPost(String name, ProcessConfig config) {
		ProcessSettings settings = ProcessSettings.of(config, ProcessPlace.TOOL_CALL, false);
		return new ResultProcessToolHook(name, settings, this.programs.start(name, settings), clock(settings));
	}

	/**
	 * The clock of the application, or one that stands still: only a program that is
	 * asked after calls wants to know.
	 */
	private CallClock clock(ProcessSettings settings) {
		return (settings.intercept().contains(ProcessSettings.AFTER)) ? this.clock.get() : new CallClock();
	}

}
