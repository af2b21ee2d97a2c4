package io.agenthooks.spring.process;

import java.util.Map;

import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;

/** It is never asked: PicoClaw has no such question. */
final class ProcessRunHook extends ProcessPostRunHook implements PreRunHook {

	ProcessRunHook(String name, ProcessSettings settings, ProcessClient client) {
		super(name, settings, client);
	}

	@Override
	public RunDecision preRun(AgentRun run) {
		sendEvent(ProcessSettings.TURN_START, run.id(), run.context(),
				Map.of("UserMessage", run.prompt(), "MediaCount", 0));
		return RunDecision.approve();
	}

}
