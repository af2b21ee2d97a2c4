package io.agenthooks.spring.approval;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

record CallClaims(SharedApprovals approvals, ApprovalFingerprint fingerprint, CallEffects effects) {

	/** Take the approval for a call, if it is for exactly this one. */
	Attempt claim(ToolCall call, ApprovalRequest request) {
		boolean edited = request.votes().stream().anyMatch((vote) -> vote.verdict() == Verdict.EDIT);
		ToolCall approved = call;
		if (edited) {
			Map<String, @Nullable Object> arguments = ToolArguments.parse(request.arguments());
			approved = call.withArguments(arguments);
		}
		String arguments = ApprovalFingerprint.argumentsOf(approved);
		if (!arguments.equals(request.arguments())
				|| !this.fingerprint.of(approved, arguments, request).equals(request.fingerprint())) {
			return Attempt.of(ToolDecision.deny(Resumption.VOID));
		}
		// Hooks may have been registered since this call asked its own.
		String objection = this.approvals.objection(approved, request);
		if (objection != null) {
			return Attempt.of(ToolDecision.deny("A person approved this call, but " + objection));
		}
		String changed = this.effects.objection(approved, request);
		if (changed != null) {
			return new Attempt(ToolDecision.deny(changed), true);
		}
		if (!this.approvals.claim(request)) {
			return new Attempt(null, false);
		}
		ToolDecision decision = (arguments.equals(ApprovalFingerprint.argumentsOf(call))) ? ToolDecision.approve()
				: ToolDecision.modify(approved.arguments());
		return Attempt.of(decision.answeredBy(PeopleDecisions.approvedBy(request)));
	}

	/** The decision is {@code null} if somebody else was quicker. */
	record Attempt(@Nullable ToolDecision decision, boolean previewChanged) {

		private static Attempt of(ToolDecision decision) {
			return new Attempt(decision, false);
		}

	}

}
