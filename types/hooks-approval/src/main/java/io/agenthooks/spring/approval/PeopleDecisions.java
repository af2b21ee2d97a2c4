package io.agenthooks.spring.approval;

import java.time.Duration;

import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.toolcall.Answered;
import io.agenthooks.toolcall.ToolDecision;

final class PeopleDecisions {

	private PeopleDecisions() {
	}

	static Answered approvedBy(ApprovalRequest request) {
		return new Answered(String.join(", ", ApprovalRules.approvers(request.votes())), request.id(), null);
	}

	static ToolDecision denied(ApprovalRequest request) {
		for (Vote vote : request.votes()) {
			if (vote.verdict() == Verdict.DENY) {
				return ToolDecision.deny((vote.reason() != null) ? "A person denied this call: " + vote.reason()
						: "A person denied this call")
					.answeredBy(new Answered(vote.person(), request.id(), null));
			}
		}
		return ToolDecision.deny("This call was denied");
	}

	static String late(Duration timeout) {
		return "Nobody approved this call within " + words(timeout);
	}

	static String words(Duration timeout) {
		if (timeout.toMillis() % 1000 != 0) {
			return timeout.toMillis() + " ms";
		}
		long seconds = timeout.toSeconds();
		if (seconds >= 7200 && seconds % 3600 == 0) {
			return timeout.toHours() + " hours";
		}
		return (seconds >= 120 && seconds % 60 == 0) ? timeout.toMinutes() + " minutes" : seconds + " s";
	}

}
