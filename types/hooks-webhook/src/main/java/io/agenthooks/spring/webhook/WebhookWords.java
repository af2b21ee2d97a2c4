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

interface WebhookWords {

	byte[] question(ToolCall call);

	byte[] question(LlmCall call);

	byte[] question(AgentRun run);

	/** Throws {@link WebhookException} if there is none. */
	ToolDecision decision(byte[] answer, ToolCall call);

	LlmDecision decision(byte[] answer, LlmCall call);

	RunDecision decision(byte[] answer, AgentRun run);

	/** {@code null} if there is nothing to tell. */
	byte @Nullable [] news(ToolOutcome outcome);

	byte @Nullable [] news(LlmOutcome outcome);

	byte @Nullable [] news(RunOutcome outcome);

}
