package io.agenthooks.spring.command;

import io.agenthooks.spring.external.ArgumentNames;
import io.agenthooks.spring.external.FailMode;
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

	private final FailMode<ToolCall, ToolDecision> failMode;

	CommandToolHook(String name, CommandSettings settings) {
		super(name, settings);
		this.failMode = FailMode.ofToolCalls(name, settings.failOpen());
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		byte[] question = CommandMessage.preCall(call, dir(), sent());
		return this.failMode.decide(call, question.length, () -> {
			ArgumentNames.check(call);
			EndedCommand end = runner().run(question);
			if (end.isBlocked()) {
				return ToolDecision.deny(end.reason());
			}
			if (end.isSilent() && !settings().requireDecision()) {
				return ToolDecision.approve();
			}
			return end.read(name(), () -> CommandToolReply.beforeCall(end.output(), call, settings().merge(),
					settings().requireDecision()));
		});
	}

}
