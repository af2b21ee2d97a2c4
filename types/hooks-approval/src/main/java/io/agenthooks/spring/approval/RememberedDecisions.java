package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.toolcall.ApprovalScope;

/**
 * Decisions that count for further calls of the session: the very same, or those of the
 * tool.
 */
record RememberedDecisions(ApprovalStore store, ApprovalConfig config, InstantSource clock) {

	/**
	 * Find what people decided about the same call before, or an approval of its tool, if
	 * that is enough.
	 * @param fingerprint that of the call
	 * @param toolKey that of the tool, empty if no approval of it counts
	 * @return a question that is {@code CLAIMED} or {@code DENIED}
	 */
	Optional<ApprovalRequest> find(String fingerprint, String toolKey) {
		Instant now = this.clock.instant();
		return this.store.remembered(fingerprint, toolKey, now)
			.filter((request) -> request.fingerprint().equals(fingerprint) || isOfTool(request, toolKey))
			.filter((request) -> ApprovalRules.isRemembered(request, now) && counts(request));
	}

	static boolean isOfTool(ApprovalRequest request, String toolKey) {
		return !toolKey.isEmpty() && request.choices().toolKey().equals(toolKey)
				&& request.state() == ApprovalState.CLAIMED && request.scope() == ApprovalScope.TOOL;
	}

	private boolean counts(ApprovalRequest request) {
		if (request.state() == ApprovalState.DENIED) {
			return this.config.areDenialsRemembered();
		}
		return request.scope().compareTo(this.config.maxScopeOrDefault()) <= 0
				&& ApprovalRules.approvers(request.votes()).size() >= this.config.approvals();
	}

	/** As far as the question and this node let it; refused if the person chose more. */
	ApprovalAnswer scoped(ApprovalRequest request, ApprovalAnswer answer) {
		if (answer.verdict() != Verdict.APPROVE && answer.verdict() != Verdict.EDIT) {
			return answer;
		}
		ApprovalScope widest = ApprovalRules.widest(request, answer.verdict())
			.narrower(this.config.maxScopeOrDefault());
		ApprovalScope scope = (answer.scope() != null) ? answer.scope() : request.choices().scope().narrower(widest);
		if (scope.compareTo(widest) > 0) {
			throw refused("The scope '%s' is wider than this question lets: at most '%s'.".formatted(written(scope),
					written(widest)));
		}
		Duration longest = request.rememberFor();
		Duration time = answer.time();
		if (time != null && longest != null && time.compareTo(longest) > 0) {
			throw refused("The time is longer than this question lets: at most %s.".formatted(longest));
		}
		return new ApprovalAnswer(answer.person(), answer.verdict(), answer.arguments(), answer.reason(), scope, time);
	}

	private static String written(ApprovalScope scope) {
		return scope.name().toLowerCase(Locale.ROOT);
	}

	private static ApprovalRefusedException refused(String message) {
		return new ApprovalRefusedException(ApprovalRefusedException.Reason.NOT_ALLOWED, message, List.of());
	}

	/** A question as it is kept: a denial is remembered only if denials shall be. */
	ApprovalRequest kept(ApprovalRequest request) {
		return (request.rememberFor() == null || request.state() != ApprovalState.DENIED
				|| this.config.areDenialsRemembered()) ? request : ApprovalRules.withRememberFor(request, null);
	}

}
