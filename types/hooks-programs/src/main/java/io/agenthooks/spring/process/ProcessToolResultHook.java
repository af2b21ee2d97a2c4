package io.agenthooks.spring.process;

import java.util.LinkedHashMap;
import java.util.Map;

import io.agenthooks.chain.CallNotes;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

/** Asks a program about results, or tells it how calls ended. */
class ProcessToolResultHook extends ProcessHook<ToolCall, ToolDecision> implements ToolResultHook, PostToolHook {

	ProcessToolResultHook(String name, ProcessSettings settings, ProcessClient client) {
		super(settings, client, NoVerdictMode.ofToolCalls(name, settings.failOpen(), true));
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		if (!settings().intercept().contains(ProcessSettings.AFTER)) {
			return ToolDecision.approve();
		}
		return failMode().decide(call,
				(asked) -> ProcessMessage.result(asked, (asked.equals(call)) ? result : ToolResult.success(""),
						CallNotes.ofThisThread().nanos(), settings().sent()),
				(asked, params) -> new ProcessToolReply(ask("hook.after_tool", params)).afterTool(result));
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		boolean ran = outcome.originalResult() != null || outcome.status() == ToolCallStatus.FAILED;
		Map<String, Object> payload = new LinkedHashMap<>();
		payload.put("Tool", outcome.effective().identity().stableName());
		if (ran) {
			ToolResult result = outcome.result();
			payload.put("Duration", outcome.duration().toNanos());
			payload.put("ForLLMLen", (result != null) ? result.content().length() : 0);
			payload.put("IsError", result == null || !result.succeeded());
		}
		else {
			payload.put("Reason", reason(outcome.decision()));
		}
		sendEvent((ran) ? ProcessSettings.END : ProcessSettings.SKIPPED, outcome.effective(), payload);
	}

	private static String reason(ToolDecision decision) {
		if (decision instanceof ToolDecision.Deny denial) {
			return denial.reason();
		}
		return (decision instanceof ToolDecision.Abort abort) ? abort.reason() : "";
	}

	void sendEvent(String event, ToolCall call, Map<String, Object> payload) {
		sendEvent(event, call.id(), call.context(), payload);
	}

}
