package io.agenthooks.spring.webhook;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * The words that an endpoint understands and answers with: ours, or those of another
 * system.
 */
interface WebhookWords {

	/**
	 * Ours, which are PulseBot's and what else there is to say.
	 */
	WebhookWords OWN = new WebhookWords() {

		@Override
		public byte[] question(ToolCall call, SentUser sent) {
			return WebhookMessage.preCall(call, sent);
		}

		@Override
		public byte[] question(LlmCall call, SentUser sent) {
			return WebhookMessage.preCall(call, sent);
		}

		@Override
		public byte[] question(AgentRun run, SentUser sent) {
			return WebhookMessage.preRun(run, sent);
		}

		@Override
		public ToolDecision decision(byte[] answer, ToolCall call) {
			return WebhookReply.of(answer).decisionAbout(call);
		}

		@Override
		public LlmDecision decision(byte[] answer, LlmCall call) {
			return WebhookReply.of(answer).decisionAbout(call);
		}

		@Override
		public RunDecision decision(byte[] answer, AgentRun run) {
			return WebhookReply.of(answer).decisionAbout(run);
		}

		@Override
		public byte[] news(ToolOutcome outcome, SentUser sent) {
			return WebhookMessage.postCall(outcome, sent);
		}

		@Override
		public byte[] news(LlmOutcome outcome, SentUser sent) {
			return WebhookMessage.postCall(outcome, sent);
		}

		@Override
		public byte[] news(RunOutcome outcome, SentUser sent) {
			return WebhookMessage.postRun(outcome, sent);
		}

	};

	/**
	 * The question whether a call of a tool may happen.
	 */
	byte[] question(ToolCall call, SentUser sent);

	/**
	 * The question whether a model may be asked.
	 */
	byte[] question(LlmCall call, SentUser sent);

	/**
	 * The question whether a run may begin.
	 */
	byte[] question(AgentRun run, SentUser sent);

	/**
	 * The decision of an answer about a call of a tool.
	 * @throws WebhookException if there is none
	 */
	ToolDecision decision(byte[] answer, ToolCall call);

	/**
	 * The decision of an answer about a call of a model.
	 * @throws WebhookException if there is none
	 */
	LlmDecision decision(byte[] answer, LlmCall call);

	/**
	 * The decision of an answer about a run.
	 * @throws WebhookException if there is none
	 */
	RunDecision decision(byte[] answer, AgentRun run);

	/**
	 * The news of how a call of a tool ended, or {@code null} if that is none to tell.
	 */
	byte @Nullable [] news(ToolOutcome outcome, SentUser sent);

	/**
	 * The news of how a call of a model ended, or {@code null} if that is none to tell.
	 */
	byte @Nullable [] news(LlmOutcome outcome, SentUser sent);

	/**
	 * The news of how a run ended, or {@code null} if that is none to tell.
	 */
	byte @Nullable [] news(RunOutcome outcome, SentUser sent);

}
