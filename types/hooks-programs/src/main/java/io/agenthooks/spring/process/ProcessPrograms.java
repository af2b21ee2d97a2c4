package io.agenthooks.spring.process;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

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

	/**
	 * A factory of hooks that ask a program about tool calls and notify it.
	 * @return the factory
	 */
	ToolHookFactory<ProcessConfig> toolHooks() {
		return ToolHookFactory.of(TYPE, ProcessConfig.class, (name, config) -> {
			ProcessSettings settings = ProcessSettings.of(config, ProcessPlace.TOOL_CALL, true);
			return new ProcessToolHook(name, settings, start(name, settings));
		}, (name, config) -> {
			ProcessSettings settings = ProcessSettings.of(config, ProcessPlace.TOOL_CALL, false);
			return new ProcessToolResultHook(name, settings, start(name, settings));
		});
	}

	/**
	 * A factory of hooks that ask a program about model calls and notify it.
	 * @return the factory
	 */
	LlmHookFactory<ProcessConfig> llmHooks() {
		return LlmHookFactory.of(TYPE, ProcessConfig.class, (name, config) -> {
			ProcessSettings settings = ProcessSettings.of(config, ProcessPlace.LLM_CALL, true);
			return ProcessLlmHook.forPre(name, settings, start(name, settings));
		}, (name, config) -> {
			ProcessSettings settings = ProcessSettings.of(config, ProcessPlace.LLM_CALL, false);
			return ProcessLlmHook.forPost(name, settings, start(name, settings));
		});
	}

	/**
	 * A factory of hooks that notify a program of runs of agents.
	 * @return the factory
	 */
	RunHookFactory<ProcessConfig> runHooks() {
		return RunHookFactory.of(TYPE, ProcessConfig.class, (name, config) -> {
			ProcessSettings settings = ProcessSettings.of(config, ProcessPlace.RUN, true);
			return new ProcessRunHook(name, settings, start(name, settings));
		}, (name, config) -> {
			ProcessSettings settings = ProcessSettings.of(config, ProcessPlace.RUN, false);
			return new ProcessPostRunHook(name, settings, start(name, settings));
		});
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

}
