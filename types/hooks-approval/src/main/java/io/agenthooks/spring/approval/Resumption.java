package io.agenthooks.spring.approval;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.approval.CallEffects.UnstatedException;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

/**
 * One execution of a call that people approved. The approval belongs to this object, and
 * not to the id of the call: it is the approver of this execution alone, gives the
 * approval once and lets the tool run once. It claims the approval as late as it can:
 * when a hook asks for it, or else when the tool is about to run.
 */
final class Resumption implements ToolApprover {

	static final String VOID = "What a person approved is not this call any more: its arguments, its tool, what it is "
			+ "about or the configuration changed meanwhile";

	private final SharedApprovals approvals;

	private final ApprovalFingerprint fingerprint;

	private final CallEffects effects;

	private final ApprovalRequest request;

	private Claim claim = Claim.NONE;

	private boolean answered;

	private boolean started;

	private boolean closed;

	private boolean previewed;

	private @Nullable String changed;

	Resumption(SharedApprovals approvals, ApprovalFingerprint fingerprint, CallEffects effects,
			ApprovalRequest request) {
		this.approvals = approvals;
		this.fingerprint = fingerprint;
		this.effects = effects;
		this.request = request;
	}

	@Nullable String objection(ToolCall call) {
		String arguments = ApprovalFingerprint.argumentsOf(call);
		try {
			return (arguments.equals(this.request.arguments())
					&& this.fingerprint.of(call, arguments, this.request).equals(this.request.fingerprint())) ? null
							: VOID;
		}
		catch (UnstatedException ex) {
			return ex.getMessage();
		}
	}

	/** The preview is made when all hooks have decided, and once. */
	private synchronized @Nullable String lastObjection(ToolCall call) {
		String objection = objection(call);
		if (objection == null && !this.previewed) {
			this.previewed = true;
			this.changed = this.effects.objection(call, this.request);
		}
		return (objection != null) ? objection : this.changed;
	}

	@Override
	public String name() {
		return PeopleApprover.NAME;
	}

	@Override
	public ToolDecision approve(ToolCall call, ToolDecision.Ask question) {
		String objection = objection(call);
		if (objection == null && !(isByKnownHooks(question)
				&& this.request.approvers().authorities().containsAll(question.terms().approvers()))) {
			// Somebody else has to decide, or for another reason.
			objection = VOID;
		}
		if (objection != null) {
			return ToolDecision.deny(objection);
		}
		return (claimToAnswer()) ? ToolDecision.approve().answeredBy(PeopleDecisions.approvedBy(this.request))
				: ToolDecision.deny(TurnReplies.SAME_CALL);
	}

	/**
	 * Or people wrote the arguments themselves. The rules of a hook may differ: some word
	 * what they find.
	 */
	private boolean isByKnownHooks(ToolDecision.Ask question) {
		return this.request.votes().stream().anyMatch((vote) -> vote.verdict() == Verdict.EDIT) || question.askers()
			.stream()
			.allMatch((now) -> this.request.askers().stream().anyMatch((before) -> before.hook().equals(now.hook())));
	}

	ToolExecutor claiming(ToolExecutor tool) {
		return new ClaimingTool(tool);
	}

	private synchronized boolean claimToAnswer() {
		if (this.answered || this.started) {
			return false;
		}
		this.answered = true;
		return claim();
	}

	private synchronized boolean claimToStart() {
		if (this.started) {
			return false;
		}
		this.started = true;
		return claim();
	}

	/** An execution that has ended must not claim any more. */
	private boolean claim() {
		if (this.claim == Claim.NONE) {
			// If the store fails nobody knows, and whoever resumes reads the question
			// anew.
			this.claim = Claim.LOST;
			if (!this.closed && this.approvals.claim(this.request)) {
				this.claim = Claim.CLAIMED;
			}
		}
		return this.claim == Claim.CLAIMED;
	}

	synchronized Claim close() {
		this.closed = true;
		return this.claim;
	}

	enum Claim {

		/** No claim of this node. */
		NONE,

		/** This one. */
		CLAIMED,

		/** Another caller was quicker, or the time is over. */
		LOST

	}

	static final class NotClaimedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NotClaimedException() {
			super("The approval was claimed by another node, or is void", null, false, false);
		}

	}

	private final class ClaimingTool implements ToolExecutor {

		private final ToolExecutor tool;

		ClaimingTool(ToolExecutor tool) {
			this.tool = tool;
		}

		@Override
		public ToolResult execute(ToolCall call) {
			if (!claimToStart()) {
				throw new NotClaimedException();
			}
			return this.tool.execute(call);
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			String objection = lastObjection(call);
			return (objection != null) ? objection : this.tool.objection(call);
		}

		@Override
		public @Nullable String failureText(Throwable failure) {
			return (failure instanceof NotClaimedException) ? null : this.tool.failureText(failure);
		}

		@Override
		public @Nullable String denialText(Throwable failure) {
			return (failure instanceof NotClaimedException) ? null : this.tool.denialText(failure);
		}

		@Override
		public Set<String> toolNames() {
			return this.tool.toolNames();
		}

	}

}
