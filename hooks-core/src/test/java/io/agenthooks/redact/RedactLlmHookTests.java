package io.agenthooks.redact;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmRole;
import io.agenthooks.llmcall.LlmToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedactLlmHook} and {@link RedactLlmResponseHook}.
 */
class RedactLlmHookTests {

	private final RedactLlmHook hook = new RedactLlmHook(RedactConfig.defaults());

	private final RedactLlmResponseHook responseHook = new RedactLlmResponseHook(RedactConfig.defaults());

	@Test
	void preCallTakesSecretsOutOfEveryMessageAndKeepsWhatTheFrameworkHas() {
		LlmMessage tool = new LlmMessage(LlmRole.TOOL, "mail bob@example.com", "source");
		LlmCall call = LlmCall.of(LlmMessage.system("Be kind."), LlmMessage.user("password=hunter2"), tool);
		LlmDecision decision = this.hook.preCall(call);
		assertThat(decision).isEqualTo(LlmDecision.modify(call.withMessages(List.of(LlmMessage.system("Be kind."),
				LlmMessage.user("password=[redacted:password]"), tool.withText("mail [redacted:email]")))));
	}

	@Test
	void preCallWhenThereIsNothingToHideOrItIsHiddenApproves() {
		LlmCall call = LlmCall.of(LlmMessage.user("Hello [redacted:email]"));
		assertThat(this.hook.preCall(call).verdict()).isEqualTo(Verdict.APPROVE);
		assertThat(this.hook.isRepeatable()).isTrue();
	}

	@Test
	void onResponseTakesSecretsOutOfTheTextOnly() {
		LlmResponse response = new LlmResponse("Ask bob@example.com",
				List.of(new LlmToolCall("1", "mail", "bob@example.com")), "stop", null, "m", "source");
		LlmCall call = LlmCall.of(LlmMessage.user("Hello"));
		assertThat(this.responseHook.onResponse(call, response))
			.isEqualTo(LlmDecision.respond(response.withText("Ask [redacted:email]")));
		assertThat(this.responseHook.onResponse(call, response.withText("Hi")).verdict()).isEqualTo(Verdict.APPROVE);
	}

}
