package io.agenthooks.spring.command;

import io.agenthooks.Verdict;
import io.agenthooks.chain.CallNotes;
import io.agenthooks.spring.dialect.CallMessage;
import io.agenthooks.spring.dialect.ToolReply;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Runs a command after a tool, once for each call whose tool ran or that a hook answered,
 * as Claude Code does. It may add context for the model, replace the result or take it
 * away. If the tool threw an exception, it can only learn that.
 */
final class CommandToolResultHook extends CommandHook implements ToolResultHook, PostToolHook {

	private final NoVerdictMode<ToolCall, ToolDecision> failMode;

	CommandToolResultHook(String name, CommandSettings settings) {
		super(name, settings);
		this.failMode = NoVerdictMode.ofToolCalls(name, settings.failOpen());
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		byte[] message = CallMessage.result(system(), call, result, CallNotes.ofThisThread().nanos(), dir(), sent());
		return this.failMode.decide(call, message.length, () -> decide(result, runner().run(message)));
	}

	/**
	 * The tool has run, so exit code 2 tells the model something, and a text that is no
	 * JSON is not a verdict that got lost.
	 */
	private ToolDecision decide(ToolResult result, EndedCommand end) throws NoVerdictException {
		if (end.isBlocked()) {
			return (end.isJson()) ? blocked(result, end) : ToolDecision.approve().withAdditionalContext(end.reason());
		}
		if (end.isPlainText() && !settings().requireDecision()) {
			String text = end.text();
			return (text.isEmpty()) ? ToolDecision.approve() : ToolDecision.approve().withAdditionalContext(text);
		}
		return end.read(name(), () -> ToolReply.afterCall(end.output(), result, settings().requireDecision()));
	}

	/**
	 * The decision in JSON beside exit code 2. It may take the result away or replace it,
	 * which must not get lost.
	 */
	private ToolDecision blocked(ToolResult result, EndedCommand end) throws NoVerdictException {
		try {
			ToolDecision decision = ToolReply.afterCall(end.output(), result, false);
			if (decision.verdict() == Verdict.DENY || decision.verdict() == Verdict.ABORT) {
				return decision;
			}
			String reason = end.reason();
			String context = decision.additionalContext();
			return decision
				.withAdditionalContext((context == null || context.equals(reason)) ? reason : reason + "\n" + context);
		}
		catch (InvalidJsonException ex) {
			throw NoVerdictException.refusal("The output of the command " + ex.getMessage());
		}
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		if (outcome.status() == ToolCallStatus.FAILED && outcome.originalResult() == null) {
			byte[] message = CallMessage.failure(system(), outcome, dir(), sent());
			this.failMode.decide(outcome.effective(), message.length, () -> {
				runner().run(message);
				return ToolDecision.approve();
			});
		}
	}

}
