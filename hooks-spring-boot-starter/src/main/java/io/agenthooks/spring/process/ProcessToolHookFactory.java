package io.agenthooks.spring.process;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
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

	private final Supplier<CallClock> clock;

	private final List<ResultProcessToolHook> hooks = new CopyOnWriteArrayList<>();

	/**
	 * Create the factory.
	 * @param clock gives the clock that knows how long calls take
	 */
	public ProcessToolHookFactory(Supplier<CallClock> clock) {
		this.clock = clock;
	}

	@Override
	public String type() {
		return "process";
	}

	@Override
	public Class<ProcessConfig> configType() {
		return ProcessConfig.class;
	}

	@Override
	public ToolHook create(String name, ProcessConfig config) {
		ProcessSettings settings = ProcessSettings.of(config, true);
		return added(new ProcessToolHook(name, settings, clock(settings)));
	}

	@Override
	public ToolHook createForPost(String name, ProcessConfig config) {
		ProcessSettings settings = ProcessSettings.of(config, false);
		return added(new ResultProcessToolHook(name, settings, clock(settings)));
	}

	/**
	 * The clock of the application, or one that stands still: only a program that is
	 * asked after calls wants to know.
	 */
	private CallClock clock(ProcessSettings settings) {
		return (settings.intercept().contains(ProcessSettings.AFTER)) ? this.clock.get() : new CallClock();
	}

	private ToolHook added(ResultProcessToolHook hook) {
		this.hooks.add(hook);
		return hook;
	}

	/**
	 * How the programs are.
	 * @return the state of each program by the name of its hook
	 */
	public Map<String, ProcessState> states() {
		Map<String, ProcessState> states = new TreeMap<>();
		this.hooks.forEach((hook) -> states.put(hook.name(), hook.client().state()));
		return states;
	}

}
