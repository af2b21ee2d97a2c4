package io.agenthooks.spring.process;

import java.util.Map;

import io.agenthooks.spring.external.ArgumentNames;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * As in PicoClaw the program first may change, answer or deny a call, and then approves
 * what is left of it; an approval that does not come denies, also if the hook fails open.
 */
final class ProcessToolHook extends ProcessToolResultHook implements PreToolHook {

	private final NoVerdictMode<ToolCall, ToolDecision> approvals;

	ProcessToolHook(String name, ProcessSettings settings, ProcessClient client) {
		super(name, settings, client);
		this.approvals = NoVerdictMode.ofToolCalls(name, false, true);
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		sendEvent(ProcessSettings.START, call,
				Map.of("Tool", call.identity().stableName(), "Arguments", call.arguments()));
		ToolDecision decision = (settings().intercept().contains(ProcessSettings.BEFORE)) ? beforeTool(call)
				: ToolDecision.approve();
		if (!settings().intercept().contains(ProcessSettings.APPROVE)) {
			return decision;
		}
		return switch (decision.verdict()) {
			case APPROVE -> orApproval(decision, call);
			case MODIFY -> orApproval(decision, call.withArguments(((ToolDecision.Modify) decision).arguments()));
			default -> decision;
		};
	}

	private ToolDecision beforeTool(ToolCall call) {
		return failMode().decide(call, this::question,
				(asked, params) -> new ProcessToolReply(ask("hook.before_tool", params)).beforeTool(asked));
	}

	private byte[] question(ToolCall call) throws NoVerdictException {
		ArgumentNames.check(call);
		return ProcessMessage.call(call, settings().sent());
	}

	private ToolDecision orApproval(ToolDecision decision, ToolCall call) {
		ToolDecision approval = this.approvals.decide(call, this::question, (asked,
				params) -> new ProcessToolReply(client().ask("hook.approve_tool", params, settings().approvalTimeout()))
					.approveTool());
		return (approval instanceof ToolDecision.Approve) ? decision : approval;
	}

}
