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
final class CommandToolHook extends CommandHook implements PreToolHook {

	private final NoVerdictMode<ToolCall, ToolDecision> failMode;

	CommandToolHook(String name, CommandSettings settings) {
		super(name, settings);
		this.failMode = NoVerdictMode.ofToolCalls(name, settings.failOpen());
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		byte[] question = CallMessage.preCall(system(), call, dir(), sent());
		return this.failMode.decide(call, question.length, () -> {
			ArgumentNames.check(call);
			return decide(call, runner().run(question));
		});
	}

	private ToolDecision decide(ToolCall call, EndedCommand end) throws NoVerdictException {
		HookSystem system = system();
		if (end.isBlockedAs(system)) {
			return ToolDecision.deny(end.reason());
		}
		boolean saysNothing = end.isSilent() || (system != null && system.writesTexts() && end.isPlainText());
		if (saysNothing && !settings().requireDecision()) {
			return ToolDecision.approve();
		}
		boolean requires = settings().requireDecision() || (system != null && system.deniesByEmptyObject());
		return end.read(name(), () -> ToolReply.beforeCall(end.output(), call, settings().merge(), requires));
	}

}
