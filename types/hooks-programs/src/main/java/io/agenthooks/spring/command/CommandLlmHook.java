package io.agenthooks.spring.command;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.dialect.AgentMessage;
import io.agenthooks.spring.dialect.DialectReply;
import io.agenthooks.spring.dialect.LlmReply;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;

/**
 * Asks a command about a model call before the model is asked, as Gemini CLI does. How it
 * ends is the answer, as before a tool call.
 */
final class CommandLlmHook extends CommandHook implements PreLlmHook {

	private static final Logger logger = LoggerFactory.getLogger(CommandLlmHook.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final NoVerdictMode<LlmCall, LlmDecision> failMode;

	CommandLlmHook(String name, CommandSettings settings) {
		super(name, settings);
		this.failMode = NoVerdictMode.ofModelCalls(name, settings.failOpen());
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		byte[] question = AgentMessage.preCall(system(), call, dir(), sent());
		return this.failMode.decide(call, question.length, () -> decide(call, runner().run(question)));
	}

	private LlmDecision decide(LlmCall call, EndedCommand end) throws NoVerdictException {
		if (end.isBlockedAs(system())) {
			return LlmDecision.deny(end.reason());
		}
		if (end.isSilent() && !settings().requireDecision()) {
			return LlmDecision.approve();
		}
		return end.read(name(), () -> LlmReply.beforeCall(DialectReply.of(end.output()), call,
				settings().requireDecision(), this::warn));
	}

	private void warn(String kept) {
		this.warnings
			.warn("Hook '%s': the command cannot change %s of a model call; they are kept".formatted(name(), kept));
	}

}
