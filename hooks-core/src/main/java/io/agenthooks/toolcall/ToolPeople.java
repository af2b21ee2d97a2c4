package io.agenthooks.toolcall;

import io.agenthooks.chain.People;

final class ToolPeople implements People<ToolCall, ToolDecision, ToolCallEvent> {

	@Override
	public ToolDecision asked(ToolDecision question, String hook) {
		return ((ToolDecision.Ask) question).asked(hook);
	}

	@Override
	public ToolDecision join(ToolDecision question, ToolDecision another) {
		return ((ToolDecision.Ask) question).and((ToolDecision.Ask) another);
	}

	@Override
	public ToolCallEvent personAsked(ToolCall call, String hook, ToolDecision question) {
		return new ToolCallEvent.ApprovalRequested(call, (ToolDecision.Ask) question, hook);
	}

	@Override
	public ToolCallEvent personAnswered(ToolCall call, String hook, ToolDecision question, ToolDecision answer) {
		return new ToolCallEvent.ApprovalSettled(call, (ToolDecision.Ask) question, answer, hook);
	}

}
