package io.agenthooks.spring.command;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.spring.dialect.AgentMessage;
import io.agenthooks.spring.dialect.DialectReply;
import io.agenthooks.spring.dialect.LlmReply;
import io.agenthooks.spring.external.NoVerdictMode;

/** Once and as a whole. The command may replace the text or withhold the response. */
final class CommandLlmResponseHook extends CommandHook<LlmCall, LlmDecision> implements LlmResponseHook {

	CommandLlmResponseHook(String name, CommandSettings settings) {
		super(name, settings, NoVerdictMode.ofModelCalls(name, settings.failOpen(), false));
	}

	@Override
	public LlmDecision onResponse(LlmCall call, LlmResponse response) {
		return decide(call,
				(asked) -> AgentMessage.response(system(), asked, (asked.equals(call)) ? response : LlmResponse.of(""),
						dir(), sent()),
				(asked, end) -> read(end, LlmDecision::deny, LlmDecision::approve,
						() -> LlmReply.afterCall(DialectReply.of(end.output()), response, requiresDecision())));
	}

}
