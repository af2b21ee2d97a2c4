package io.agenthooks.spring.command;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.spring.dialect.AgentMessage;
import io.agenthooks.spring.dialect.DialectReply;
import io.agenthooks.spring.dialect.LlmReply;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;

/**
 * Shows a command what a model answered, once and as a whole. It may replace the text or
 * withhold the response.
 */
final class CommandLlmResponseHook extends CommandHook implements LlmResponseHook {

	private final NoVerdictMode<LlmCall, LlmDecision> failMode;

	CommandLlmResponseHook(String name, CommandSettings settings) {
		super(name, settings);
		this.failMode = NoVerdictMode.ofModelCalls(name, settings.failOpen());
	}

	@Override
	public LlmDecision onResponse(LlmCall call, LlmResponse response) {
		byte[] message = AgentMessage.response(system(), call, response, dir(), sent());
		return this.failMode.decide(call, message.length, () -> decide(response, runner().run(message)));
	}

	private LlmDecision decide(LlmResponse response, EndedCommand end) throws NoVerdictException {
		if (end.isBlockedAs(system())) {
			return LlmDecision.deny(end.reason());
		}
		if (end.isSilent() && !settings().requireDecision()) {
			return LlmDecision.approve();
		}
		return end.read(name(),
				() -> LlmReply.afterCall(DialectReply.of(end.output()), response, settings().requireDecision()));
	}

}
