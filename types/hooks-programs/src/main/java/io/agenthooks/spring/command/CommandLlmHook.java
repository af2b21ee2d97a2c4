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
import io.agenthooks.spring.external.NoVerdictMode;

/**
 * Asks before the model is asked, as Gemini CLI does. How the command ends is the answer.
 */
final class CommandLlmHook extends CommandHook<LlmCall, LlmDecision> implements PreLlmHook {

	private static final Logger logger = LoggerFactory.getLogger(CommandLlmHook.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	CommandLlmHook(String name, CommandSettings settings) {
		super(name, settings, NoVerdictMode.ofModelCalls(name, settings.failOpen(), false));
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		return decide(call, (asked) -> AgentMessage.preCall(system(), asked, dir(), sent()), (asked, end) -> read(end,
				LlmDecision::deny, LlmDecision::approve,
				() -> LlmReply.beforeCall(DialectReply.of(end.output()), asked, requiresDecision(), this::warn)));
	}

	private void warn(String kept) {
		this.warnings
			.warn("Hook '%s': the command cannot change %s of a model call; they are kept".formatted(name(), kept));
	}

}
