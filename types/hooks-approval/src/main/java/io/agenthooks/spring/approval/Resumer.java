package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.flow.Conversation;
import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.spring.approval.Resumption.Claim;
import io.agenthooks.spring.approval.Resumption.NotClaimedException;
import io.agenthooks.spring.approval.SuspendedStore.Kept;
import io.agenthooks.spring.approval.SuspendedStore.Result;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * Whatever happens, a call that was claimed is never run again: what is not known of it
 * stays unknown.
 */
record Resumer(SharedApprovals approvals, SuspendedCalls calls, ApprovalFingerprint fingerprint, CallEffects effects,
		Supplier<ToolHookChain> chain, CalledTools tools, BiFunction<String, String, @Nullable String> rulePlaces) {

	/** Each time another one has changed the question, which then is at an end. */
	private static final int MAX_RACES = 10;

	private static final Result TOO_LONG = new Result(
			"The tool ran, but its result is longer than the %d characters that are kept"
				.formatted(SuspendedTurn.MAX_LENGTH),
			true);

	ResumedTurn resume(String id, ResumableTools first) {
		for (int i = 0; i < MAX_RACES; i++) {
			ApprovalRequest request = this.approvals.find(id)
				.filter(ApprovalRequest::isSuspended)
				.orElseThrow(() -> refused(Reason.UNKNOWN, "There is no such question that can be resumed."));
			ResumedTurn turn = switch (request.state()) {
				case PENDING -> throw refused(Reason.NOT_DECIDED, "People have not decided yet.");
				case APPROVED -> run(request, first);
				case CLAIMED -> claimed(request);
				case DENIED, EXPIRED, CANCELLED -> denied(request);
			};
			if (turn != null) {
				return turn;
			}
		}
		throw refused(Reason.CHANGED, "The question is changing. Try again.");
	}

	private ResumedTurn claimed(ApprovalRequest request) {
		Kept kept = this.calls.store().find(request);
		if (kept.result() == null) {
			throw refused(Reason.SETTLED,
					"The call was started before, and its result is not known. It may have run, so it is not run again.");
		}
		return new ResumedTurn(request, kept.turn());
	}

	private ResumedTurn denied(ApprovalRequest request) {
		Kept kept = this.calls.store().find(request);
		return (kept.result() != null) ? new ResumedTurn(request, kept.turn())
				: record(request, refuse(request, denial(request)));
	}

	/** As the chain words and reports it: with the person, the question and its rule. */
	private Result refuse(ApprovalRequest request, ToolDecision denial) {
		try {
			return new Result(Conversation.of(List.of())
				.resumed()
				.execute(() -> this.chain.get()
					.refuse(callOf(request), questionOf(request), request.askedBy(), new Denial(denial))
					.forModel()), true);
		}
		catch (AgentAbortedException ex) {
			// The run was aborted, too.
			return new Result(ex.getReason(), true);
		}
	}

	private ToolDecision.Ask questionOf(ApprovalRequest request) {
		String rule = request.rule();
		return new ToolDecision.Ask(request.reason(), null,
				(rule != null) ? new HookRule(rule, this.rulePlaces.apply(request.askedBy(), rule)) : null);
	}

	private static ToolDecision denial(ApprovalRequest request) {
		return switch (request.state()) {
			case DENIED -> PeopleDecisions.denied(request);
			case EXPIRED -> ToolDecision.deny((ApprovalRules.approvers(request.votes()).size() >= request.approvals())
					? "A person approved this call, but it was not resumed in time"
					: PeopleDecisions.late(Duration.between(request.askedAt(), request.expiresAt())));
			default -> ToolDecision.deny("The question to a person about this call became void");
		};
	}

	/** {@code null} if somebody else was quicker. */
	private @Nullable ResumedTurn run(ApprovalRequest request, ResumableTools first) {
		ToolCall call = callOf(request);
		SuspendedTurn turn = this.calls.store().find(request).turn();
		String format = turn.format();
		if (!format.isEmpty() && !first.format().isEmpty() && !first.format().equals(format)) {
			throw new IllegalStateException(
					"The turn of the call was kept by another framework, as '%s': resume it with that"
						.formatted(SafeText.name(format)));
		}
		ToolExecutor tool = WithoutLogin.get(() -> this.tools.find(call, first, format));
		Resumption resumption = new Resumption(this.approvals, this.fingerprint, this.effects, request);
		String objection = resumption.objection(call);
		if (objection != null) {
			return voided(request, refuse(request, ToolDecision.deny(objection)));
		}
		if (!this.calls.begin(request)) {
			throw refused(Reason.CHANGED, "The call is being resumed at the moment.");
		}
		try {
			return execute(call, request, resumption, tool, turn.usersTexts());
		}
		finally {
			this.calls.end(request);
		}
	}

	private static ToolCall callOf(ApprovalRequest request) {
		return EditCheck.storedCall(request, ToolArguments.parse(request.arguments(), EditCheck.MAX_ARGUMENTS));
	}

	private @Nullable ResumedTurn execute(ToolCall call, ApprovalRequest request, Resumption resumption,
			ToolExecutor tool, List<String> words) {
		Conversation conversation = Conversation.of(words.stream().map(Turn::user).toList()).resumed();
		ToolResult result;
		try {
			result = WithoutLogin.get(() -> conversation
				.execute(() -> this.chain.get().execute(call, resumption.claiming(tool), resumption)));
		}
		catch (NotClaimedException ex) {
			return null;
		}
		catch (Throwable ex) {
			failed(request, resumption.close(), ex);
			throw ex;
		}
		return ended(request, resumption.close(), new Result(result.forModel(), !result.succeeded()));
	}

	/**
	 * A call without a claim was denied, or answered by a hook: nobody will need the
	 * approval.
	 */
	private @Nullable ResumedTurn ended(ApprovalRequest request, Claim claim, Result result) {
		return switch (claim) {
			case CLAIMED -> record(request, result);
			case NONE -> voided(request, result);
			case LOST -> null;
		};
	}

	private @Nullable ResumedTurn voided(ApprovalRequest request, Result result) {
		this.approvals.cancel(request.id());
		boolean isVoid = this.approvals.find(request.id())
			.filter((last) -> last.state() == ApprovalState.CANCELLED)
			.isPresent();
		return (isVoid) ? record(request, result) : null;
	}

	/** The exception is for the caller; the model reads that the call failed. */
	private void failed(ApprovalRequest request, Claim claim, Throwable failure) {
		String text = (failure instanceof AgentAbortedException aborted) ? aborted.getReason()
				: (claim == Claim.CLAIMED) ? "The tool failed" : "The call could not be made";
		try {
			ResumedTurn unused = ended(request, claim, new Result(text, true));
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

	private ResumedTurn record(ApprovalRequest request, Result result) {
		Kept kept = this.calls.store()
			.record(request, (result.text().length() <= SuspendedTurn.MAX_LENGTH) ? result : TOO_LONG,
					this.approvals.now());
		return new ResumedTurn(this.approvals.find(request.id()).orElse(request), kept.turn());
	}

	private static ApprovalRefusedException refused(Reason reason, String message) {
		return new ApprovalRefusedException(reason, message, List.of());
	}

	private record Denial(ToolDecision decision) implements ToolApprover {

		@Override
		public ToolDecision approve(ToolCall call, ToolDecision.Ask question) {
			return this.decision;
		}

		@Override
		public String name() {
			return PeopleApprover.NAME;
		}

	}

}
