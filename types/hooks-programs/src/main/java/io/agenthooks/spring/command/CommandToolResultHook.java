package io.agenthooks.spring.command;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.WarningThrottle;
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
 * Runs once for each call whose tool ran or that a hook answered, as in Claude Code. The
 * command may add context, replace the result or take it away. If the tool threw, it can
 * only learn that.
 */
final class CommandToolResultHook extends CommandHook<ToolCall, ToolDecision> implements ToolResultHook, PostToolHook {

	private static final Logger logger = LoggerFactory.getLogger(CommandToolResultHook.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	CommandToolResultHook(String name, CommandSettings settings) {
		super(name, settings, NoVerdictMode.ofToolCalls(name, settings.failOpen(), false));
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		return decide(call,
				(asked) -> CallMessage.result(system(), asked, shown(asked, call, result),
						CallNotes.ofThisThread().nanos(), dir(), sent()),
				(asked, end) -> read(shown(asked, call, result), end));
	}

	private static ToolResult shown(ToolCall asked, ToolCall call, ToolResult result) {
		return (asked.equals(call)) ? result : ToolResult.success("");
	}

	/**
	 * The tool has run, so exit code 2 tells the model something, and a text that is no
	 * JSON is not a verdict that got lost.
	 */
	private ToolDecision read(ToolResult result, EndedCommand end) throws NoVerdictException {
		if (end.isBlocked()) {
			return (end.isJson()) ? blocked(result, end) : ToolDecision.approve().withAdditionalContext(end.reason());
		}
		if (end.isPlainText() && !requiresDecision()) {
			String text = end.text();
			return (text.isEmpty()) ? ToolDecision.approve() : ToolDecision.approve().withAdditionalContext(text);
		}
		return end.read(name(), () -> ToolReply.afterCall(end.output(), result, requiresDecision()));
	}

	/**
	 * Beside exit code 2, JSON may take the result away or replace it, which must not get
	 * lost.
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
			throw NoVerdictException.refusal("The output of the command " + ex.getMessage(), ex.word());
		}
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		if (outcome.status() == ToolCallStatus.FAILED && outcome.originalResult() == null) {
			try {
				run(CallMessage.failure(system(), outcome, dir(), sent()));
			}
			catch (NoVerdictException ex) {
				this.warnings.warn("Hook '%s': %s. The call '%s' is over".formatted(name(), ex.getMessage(),
						SafeText.name(outcome.effective().id())));
			}
		}
	}

}
