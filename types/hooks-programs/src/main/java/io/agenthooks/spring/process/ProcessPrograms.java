package io.agenthooks.spring.process;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;

/**
 * Starts the programs of {@code process} hooks of every kind, and knows how they are.
 *
 * @since 0.1.0
 */
public final class ProcessPrograms {

	/** The type of hooks that ask a program. */
	static final String TYPE = "process";

	private final List<ProcessClient> clients = new CopyOnWriteArrayList<>();

	ToolHookFactory<ProcessConfig> toolHooks() {
		return ToolHookFactory.of(TYPE, ProcessConfig.class, hooks(ProcessPlace.TOOL_CALL, true, ProcessToolHook::new),
				hooks(ProcessPlace.TOOL_CALL, false, ProcessToolResultHook::new));
	}

	LlmHookFactory<ProcessConfig> llmHooks() {
		return LlmHookFactory.of(TYPE, ProcessConfig.class, hooks(ProcessPlace.LLM_CALL, true, ProcessLlmHook::forPre),
				hooks(ProcessPlace.LLM_CALL, false, ProcessLlmHook::forPost));
	}

	RunHookFactory<ProcessConfig> runHooks() {
		return RunHookFactory.of(TYPE, ProcessConfig.class, hooks(ProcessPlace.RUN, true, ProcessRunHook::new),
				hooks(ProcessPlace.RUN, false, ProcessPostRunHook::new));
	}

	private <H> BiFunction<String, ProcessConfig, H> hooks(ProcessPlace place, boolean early, Maker<H> maker) {
		return (name, config) -> {
			ProcessSettings settings = ProcessSettings.of(config, place, early);
			return maker.make(name, settings, start(name, settings));
		};
	}

	ProcessClient start(String hook, ProcessSettings settings) {
		ProcessClient client = new ProcessClient(hook, settings);
		this.clients.add(client);
		return client;
	}

	public Map<String, ProcessState> states() {
		Map<String, ProcessState> states = new TreeMap<>();
		this.clients.forEach((client) -> states.merge(client.hook(), client.state(), ProcessPrograms::worse));
		return states;
	}

	private static ProcessState worse(ProcessState one, ProcessState other) {
		if (one == ProcessState.CLOSED || other == ProcessState.CLOSED) {
			return (one == ProcessState.CLOSED) ? other : one;
		}
		return (one.compareTo(other) > 0) ? one : other;
	}

	@FunctionalInterface
	private interface Maker<H> {

		H make(String name, ProcessSettings settings, ProcessClient client);

	}

}
