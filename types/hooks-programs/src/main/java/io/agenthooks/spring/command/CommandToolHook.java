package io.agenthooks.spring.command;

import io.agenthooks.spring.dialect.CallMessage;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.dialect.ToolReply;
import io.agenthooks.spring.external.ArgumentNames;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * How a command ends is the answer. Exit code 0: what its JSON says, or no objection if
 * it wrote nothing. Exit code 2: denied, with its errors as the reason. Else it failed,
 * and {@code fail_open} decides; but JSON that objects counts.
 */
final class CommandToolHook extends CommandHook<ToolCall, ToolDecision> implements PreToolHook {

	CommandToolHook(String name, CommandSettings settings) {
		super(name, settings, NoVerdictMode.ofToolCalls(name, settings.failOpen(), false));
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return decide(call, (asked) -> {
			ArgumentNames.check(asked);
			return CallMessage.preCall(system(), asked, dir(), sent());
		}, this::read);
	}

	private ToolDecision read(ToolCall call, EndedCommand end) throws NoVerdictException {
		HookSystem system = system();
		if (system != null && system.writesTexts() && end.isPlainText() && !requiresDecision()) {
			return ToolDecision.approve();
		}
		boolean requires = requiresDecision() || (system != null && system.deniesByEmptyObject());
		return read(end, ToolDecision::deny, ToolDecision::approve,
				() -> ToolReply.beforeCall(end.output(), call, merges(), requires));
	}

}
