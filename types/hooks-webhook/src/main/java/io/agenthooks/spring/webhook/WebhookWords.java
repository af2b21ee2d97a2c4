package io.agenthooks.spring.webhook;

import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * The words that an endpoint understands and answers with: ours, or those of another
 * system.
 */
interface WebhookWords {

	/** The question whether a call of a tool may happen. */
	byte[] question(ToolCall call);

	byte[] question(LlmCall call);

	byte[] question(AgentRun run);

	/**
	 * The decision of an answer about a call of a tool.
	 * @throws WebhookException if there is none
	 */
	ToolDecision decision(byte[] answer, ToolCall call);

	LlmDecision decision(byte[] answer, LlmCall call);

	RunDecision decision(byte[] answer, AgentRun run);

	/**
	 * The news of how a call of a tool ended, or {@code null} if that is none to tell.
	 */
	byte @Nullable [] news(ToolOutcome outcome);

	byte @Nullable [] news(LlmOutcome outcome);

	byte @Nullable [] news(RunOutcome outcome);

}
