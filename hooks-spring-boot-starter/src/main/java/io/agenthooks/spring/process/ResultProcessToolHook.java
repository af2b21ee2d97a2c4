package io.agenthooks.spring.process;

import java.util.LinkedHashMap;
import java.util.Map;

import io.agenthooks.spring.DroppedReplies;
import io.agenthooks.spring.QueueingToolHook;
import io.agenthooks.spring.child.CallClock;
import io.agenthooks.spring.child.FailMode;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Asks a program about results, and tells it how calls ended, as far as it wants to know.
 */
class ResultProcessToolHook implements ToolResultHook, QueueingToolHook, DroppedReplies, AutoCloseable {

	private final String name;

	private final ProcessSettings settings;

	private final ProcessClient client;

	private final FailMode<ToolCall, ToolDecision> failMode;

	private final CallClock clock;

	ResultProcessToolHook(String name, ProcessSettings settings, ProcessClient client, CallClock clock) {
		this.name = name;
		this.settings = settings;
		this.client = client;
		this.failMode = FailMode.ofToolCalls(name, settings.failOpen());
		this.clock = clock;
	}

	@Override
	public String name() {
		return this.name;
	}

	ProcessSettings settings() {
		return this.settings;
	}

	ProcessClient client() {
		return this.client;
	}

	FailMode<ToolCall, ToolDecision> failMode() {
		return this.failMode;
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		if (!this.settings.intercept().contains(ProcessSettings.AFTER)) {
			return ToolDecision.approve();
		}
		byte[] params = ProcessMessage.result(call, result, this.clock.nanosOf(call));
		return this.failMode.decide(call, params.length, () -> ProcessReply
			.afterTool(this.client.ask("hook.after_tool", params, this.settings.timeout()), result));
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		boolean ran = outcome.originalResult() != null || outcome.status() == ToolCallStatus.FAILED;
		Map<String, Object> payload = new LinkedHashMap<>();
		payload.put("Tool", outcome.effective().tool());
		if (ran) {
			ToolResult result = outcome.result();
			payload.put("Duration", outcome.duration().toNanos());
			payload.put("ForLLMLen", (result != null) ? result.content().length() : 0);
			payload.put("IsError", result == null || !result.succeeded());
		}
		else {
			payload.put("Reason", reason(outcome.decision()));
		}
		tell((ran) ? ProcessSettings.END : ProcessSettings.SKIPPED, outcome.effective(), payload);
	}

	private static String reason(ToolDecision decision) {
		if (decision instanceof ToolDecision.Deny denial) {
			return denial.reason();
		}
		return (decision instanceof ToolDecision.Abort abort) ? abort.reason() : "";
	}

	void tell(String event, ToolCall call, Map<String, Object> payload) {
		if (this.settings.observe().contains(event)) {
			this.client.tell(ProcessMessage.event(event, call.id(), call.context(), payload));
		}
	}

	@Override
	public long droppedNotifications() {
		return this.client.droppedEvents();
	}

	@Override
	public long droppedReplies() {
		return this.client.droppedReplies();
	}

	@Override
	public void close() {
		this.client.close();
	}

}
