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
 * Asks a command about a call. How it ends is the answer:
 * <ul>
 * <li>Exit code 0 and JSON: what the JSON says. Without any output: no objection.</li>
 * <li>Exit code 2: denied, with what it wrote to standard error as the reason.</li>
 * <li>Anything else: the command failed, and {@code fail_open} decides. JSON that objects
 * counts with any exit code.</li>
 * </ul>
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
