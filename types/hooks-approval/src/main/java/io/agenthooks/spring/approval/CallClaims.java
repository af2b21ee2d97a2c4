package io.agenthooks.spring.approval;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/** Takes approvals for calls that are there: that wait, or that are made again. */
record CallClaims(SharedApprovals approvals, ApprovalFingerprint fingerprint, CallEffects effects) {

	/**
	 * Take the approval for a call, if it is for exactly this one; {@code null} if
	 * somebody else was quicker.
	 */
	@Nullable ToolDecision claim(ToolCall call, ApprovalRequest request) {
		boolean edited = request.votes().stream().anyMatch((vote) -> vote.verdict() == Verdict.EDIT);
		ToolCall approved = call;
		if (edited) {
			Map<String, @Nullable Object> arguments = ToolArguments.parse(request.arguments());
			approved = call.withArguments(arguments);
		}
		String arguments = ApprovalFingerprint.argumentsOf(approved);
		if (!arguments.equals(request.arguments())
				|| !this.fingerprint.of(approved, arguments, request).equals(request.fingerprint())) {
			return ToolDecision.deny(Resumption.VOID);
		}
		// Hooks may have been registered since this call asked its own.
		String objection = this.approvals.objection(approved, request);
		if (objection != null) {
			return ToolDecision.deny("A person approved this call, but " + objection);
		}
		String changed = this.effects.objection(approved, request);
		if (changed != null) {
			return ToolDecision.deny(changed);
		}
		if (!this.approvals.claim(request)) {
			return null;
		}
		ToolDecision decision = (arguments.equals(ApprovalFingerprint.argumentsOf(call))) ? ToolDecision.approve()
				: ToolDecision.modify(approved.arguments());
		return decision.answeredBy(PeopleDecisions.approvedBy(request));
	}

}
