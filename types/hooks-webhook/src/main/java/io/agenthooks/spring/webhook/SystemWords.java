package io.agenthooks.spring.webhook;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.Verdict;
import io.agenthooks.WarningThrottle;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.spring.dialect.AgentMessage;
import io.agenthooks.spring.dialect.CallMessage;
import io.agenthooks.spring.dialect.DialectReply;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.dialect.LlmReply;
import io.agenthooks.spring.dialect.RunReply;
import io.agenthooks.spring.dialect.ToolReply;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * An endpoint of another system gets the messages that commands of it get, and answers as
 * they do. An answer without a body is no objection.
 */
final class SystemWords implements WebhookWords {

	/** An endpoint runs in no directory of ours. */
	private static final String DIR = "";

	private static final Set<ToolCallStatus> TOLD = EnumSet.of(ToolCallStatus.SUCCEEDED, ToolCallStatus.FAILED,
			ToolCallStatus.ANSWERED);

	private static final String NO_REASON = "The webhook gave no reason";

	private static final Logger logger = LoggerFactory.getLogger(SystemWords.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final String hook;

	private final HookSystem system;

	private final boolean requireDecision;

	private final SentUser sent;

	SystemWords(String hook, HookSystem system, boolean requireDecision, SentUser sent) {
		this.sent = sent;
		this.hook = hook;
		this.system = system;
		this.requireDecision = requireDecision;
	}

	@Override
	public byte[] question(ToolCall call) {
		return CallMessage.preCall(this.system, call, DIR, this.sent);
	}

	@Override
	public byte[] question(LlmCall call) {
		return AgentMessage.preCall(this.system, call, DIR, this.sent);
	}

	@Override
	public byte[] question(AgentRun run) {
		return AgentMessage.preRun(this.system, run, DIR, this.sent);
	}

	@Override
	public ToolDecision decision(byte[] answer, ToolCall call) {
		boolean requires = this.requireDecision || this.system.deniesByEmptyObject();
		return (isSilence(answer)) ? ToolDecision.approve()
				: read(answer, (reply) -> ToolReply.beforeCall(reply, call, false, requires));
	}

	@Override
	public LlmDecision decision(byte[] answer, LlmCall call) {
		return (isSilence(answer)) ? LlmDecision.approve()
				: read(answer, (reply) -> LlmReply.beforeCall(reply, call, this.requireDecision, this::warn));
	}

	@Override
	public RunDecision decision(byte[] answer, AgentRun run) {
		return (isSilence(answer)) ? RunDecision.approve()
				: read(answer, (reply) -> RunReply.beforeRun(reply, this.requireDecision));
	}

	private boolean isSilence(byte[] answer) {
		return answer.length == 0 && !this.requireDecision;
	}

	private void warn(String kept) {
		this.warnings
			.warn("Hook '%s': the endpoint cannot change %s of a model call; they are kept".formatted(this.hook, kept));
	}

	private static <D> D read(byte[] answer, Function<DialectReply, D> reading) {
		try {
			return reading.apply(DialectReply.of(answer, NO_REASON));
		}
		catch (InvalidJsonException ex) {
			throw WebhookException.refusal("The answer of the webhook " + ex.getMessage(), ex.word());
		}
		catch (IllegalArgumentException ex) {
			throw WebhookException.refusal("The answer of the webhook has changed arguments that no call can have");
		}
	}

	/** As a command, an endpoint learns of calls that ran or that a hook answered. */
	@Override
	public byte @Nullable [] news(ToolOutcome outcome) {
		if (!TOLD.contains(outcome.status())) {
			return null;
		}
		ToolResult result = outcome.result();
		return (result != null) ? CallMessage.result(this.system, outcome.effective(), result,
				outcome.duration().toNanos(), DIR, this.sent)
				: CallMessage.failure(this.system, outcome, DIR, this.sent);
	}

	@Override
	public byte @Nullable [] news(LlmOutcome outcome) {
		LlmResponse response = outcome.response();
		return (response != null) ? AgentMessage.response(this.system, outcome.effective(), response, DIR, this.sent)
				: null;
	}

	@Override
	public byte @Nullable [] news(RunOutcome outcome) {
		return (outcome.decision().verdict() == Verdict.APPROVE)
				? AgentMessage.postRun(this.system, outcome, DIR, this.sent) : null;
	}

}
