package io.agenthooks.toolcall;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.Verdict;

/**
 * What the hooks have said about one call so far.
 */
final class Ruling {

	final ToolCall requested;

	/** The hooks that are for the tool, when the call began. */
	final HookSet hooks;

	/** Who hears of this call, if anybody does. */
	final @Nullable ToolCallListener listener;

	final long start;

	ToolCall call;

	ToolDecision decision = ToolDecision.approve();

	@Nullable String decidedBy;

	ToolDecision.@Nullable Ask question;

	@Nullable String asker;

	/** Whether the call is refused because tools are switched off. */
	boolean disabled;

	/** What the tool returned or a hook answered. */
	@Nullable ToolResult originalResult;

	/** What the model should know besides. */
	@Nullable String additionalContext;

	List<String> replacedBy = List.of();

	List<String> failedOpen = List.of();

	List<String> wouldDeny = List.of();

	/** Policies below this index saw other arguments than the final ones. */
	int unseenBefore;

	/**
	 * Policies from this index on have not seen the call, because it was answered.
	 */
	int unseenFrom;

	/** What a hook or the approver threw. */
	@Nullable Throwable thrown;

	Ruling(ToolCall requested, HookSet hooks, @Nullable ToolCallListener listener) {
		this.requested = requested;
		this.call = requested;
		this.hooks = hooks;
		this.unseenFrom = hooks.preCall.length;
		this.listener = listener;
		this.start = (isObserved()) ? System.nanoTime() : 0;
	}

	void ask(ToolDecision.Ask ask, String by) {
		if (this.question == null) {
			this.question = ask;
			this.asker = by;
		}
		else if (!this.question.question().contains(ask.question())) {
			this.question = new ToolDecision.Ask(this.question.question() + "; " + ask.question());
		}
	}

	void settle(ToolDecision decision, String by) {
		this.decision = decision;
		this.decidedBy = by;
	}

	void add(@Nullable String context) {
		if (context != null) {
			this.additionalContext = AdditionalContext.join(this.additionalContext, context);
		}
	}

	/**
	 * The result with what the model should know besides.
	 */
	ToolResult complete(ToolResult result) {
		if (this.additionalContext == null) {
			return result;
		}
		return result.withAdditionalContext((result.additionalContext() != null)
				? AdditionalContext.join(result.additionalContext(), this.additionalContext) : this.additionalContext);
	}

	String decider() {
		return Objects.requireNonNull(this.decidedBy);
	}

	/**
	 * Whether anybody wants to know how the call ends.
	 */
	boolean isObserved() {
		return this.listener != null || this.hooks.postCall.length > 0;
	}

	boolean isAnswered() {
		return this.decision.verdict() == Verdict.RESPOND;
	}

	boolean isRefused() {
		return this.decision.verdict() == Verdict.DENY || this.decision.verdict() == Verdict.ABORT;
	}

	ToolOutcome outcome(ToolCallStatus status, @Nullable ToolResult result, @Nullable Throwable failure) {
		return new ToolOutcome(this.requested, this.call, this.decision, this.decidedBy, status, this.originalResult,
				result, failure, Duration.ofNanos(System.nanoTime() - this.start), this.replacedBy, this.failedOpen,
				this.wouldDeny);
	}

}
