package io.agenthooks.toolcall;

record NoApprover() implements ToolApprover {

	@Override
	public ToolDecision approve(ToolCall call, ToolDecision.Ask question) {
		return ToolDecision.deny("This call needs the approval of a person, and there is nobody to ask");
	}

	@Override
	public String name() {
		return "nobody";
	}

}
