package io.agenthooks.spring.approval;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

final class ApprovalToolHook implements PreToolHook {

	private final @Nullable Duration timeout;

	ApprovalToolHook(ApprovalToolConfig config) {
		this.timeout = config.timeout();
	}

	@Override
	public boolean isExplainable() {
		return true;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		ToolDecision.Ask question = new ToolDecision.Ask(
				"A person has to approve calls of the tool " + call.identity().describe());
		return (this.timeout != null) ? question.within(this.timeout) : question;
	}

}
