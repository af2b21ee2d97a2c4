package io.agenthooks.spring.process;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.spring.external.NoVerdictMode;

/** PicoClaw calls runs turns. */
class ProcessPostRunHook extends ProcessHook<AgentRun, RunDecision> implements PostRunHook {

	ProcessPostRunHook(String name, ProcessSettings settings, ProcessClient client) {
		super(settings, client, NoVerdictMode.ofRuns(name, settings.failOpen(), true));
	}

	@Override
	public void postRun(RunOutcome outcome) {
		String result = Objects.requireNonNullElse(outcome.result(), "");
		Map<String, Object> payload = new LinkedHashMap<>();
		payload.put("Status", switch (outcome.status()) {
			case SUCCEEDED -> "completed";
			case FAILED -> "error";
			case DENIED, ABORTED, PENDING, CANCELLED -> "aborted";
		});
		payload.put("Workspace", outcome.run().context().workspace());
		payload.put("Duration", outcome.duration().toNanos());
		payload.put("FinalContentLen", result.length());
		payload.put("UserMessage", outcome.run().prompt());
		payload.put("FinalContent", result);
		sendEvent(ProcessSettings.TURN_END, outcome.run().id(), outcome.run().context(), payload);
	}

}
