package io.agenthooks.spring.process;

import java.util.LinkedHashMap;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.external.NoVerdictMode;

/**
 * Only one that is asked about responses is a {@link LlmResponseHook}: for such a hook a
 * streamed response has to be collected.
 */
class ProcessLlmHook extends ProcessHook<LlmCall, LlmDecision> implements PostLlmHook {

	private static final Logger logger = LoggerFactory.getLogger(ProcessLlmHook.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	ProcessLlmHook(String name, ProcessSettings settings, ProcessClient client) {
		super(settings, client, NoVerdictMode.ofModelCalls(name, settings.failOpen(), true));
	}

	static LlmHook forPre(String name, ProcessSettings settings, ProcessClient client) {
		return (settings.intercept().contains(ProcessSettings.AFTER_LLM)) ? new Throughout(name, settings, client)
				: new Before(name, settings, client);
	}

	static LlmHook forPost(String name, ProcessSettings settings, ProcessClient client) {
		return (settings.intercept().contains(ProcessSettings.AFTER_LLM)) ? new After(name, settings, client)
				: new ProcessLlmHook(name, settings, client);
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		LlmResponse response = outcome.originalResponse();
		if (response != null) {
			sendEvent(ProcessSettings.LLM_RESPONSE, outcome.effective().id(), outcome.effective().context(),
					Map.of("ContentLen", response.text().length(), "ToolCalls", response.toolCalls().size(),
							"HasReasoning", false));
		}
	}

	LlmDecision askBefore(LlmCall call) {
		sendRequestEvent(call);
		if (!settings().intercept().contains(ProcessSettings.BEFORE_LLM)) {
			return LlmDecision.approve();
		}
		return failMode().decide(call, (asked) -> ProcessMessage.call(asked, settings().sent()),
				(asked, params) -> new ProcessLlmReply(ask("hook.before_llm", params)).beforeLlm(asked, this::warn));
	}

	private void sendRequestEvent(LlmCall call) {
		Map<String, Object> payload = new LinkedHashMap<>();
		payload.put("Model", (call.model() != null) ? call.model() : "");
		payload.put("MessagesCount", call.messages().size());
		payload.put("ToolsCount", call.tools().size());
		sendEvent(ProcessSettings.LLM_REQUEST, call.id(), call.context(), payload);
	}

	private void warn(String kept) {
		this.warnings
			.warn("Hook '%s': the process cannot change %s of a model call; they are kept".formatted(name(), kept));
	}

	LlmDecision askAfter(LlmCall call, LlmResponse response) {
		return failMode().decide(call,
				(asked) -> ProcessMessage.response(asked, (asked.equals(call)) ? response : LlmResponse.of(""),
						settings().sent()),
				(asked, params) -> new ProcessLlmReply(ask("hook.after_llm", params)).afterLlm(response));
	}

	private static final class Before extends ProcessLlmHook implements PreLlmHook {

		private Before(String name, ProcessSettings settings, ProcessClient client) {
			super(name, settings, client);
		}

		@Override
		public LlmDecision preCall(LlmCall call) {
			return askBefore(call);
		}

	}

	private static final class After extends ProcessLlmHook implements LlmResponseHook {

		private After(String name, ProcessSettings settings, ProcessClient client) {
			super(name, settings, client);
		}

		@Override
		public LlmDecision onResponse(LlmCall call, LlmResponse response) {
			return askAfter(call, response);
		}

	}

	private static final class Throughout extends ProcessLlmHook implements PreLlmHook, LlmResponseHook {

		private Throughout(String name, ProcessSettings settings, ProcessClient client) {
			super(name, settings, client);
		}

		@Override
		public LlmDecision preCall(LlmCall call) {
			return askBefore(call);
		}

		@Override
		public LlmDecision onResponse(LlmCall call, LlmResponse response) {
			return askAfter(call, response);
		}

	}

}
